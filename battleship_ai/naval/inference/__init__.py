"""What the reports say: the placements that fit them, and the layouts drawn from those."""
