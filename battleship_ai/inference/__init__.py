"""What a record says about the hidden layout: placement density, weighted draws, counts."""
