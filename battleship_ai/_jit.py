"""How the kernels are compiled."""

from numba import njit

__all__ = ["inlined", "kernel"]

# Kernels borrow the arrays of the tuples they are given and allocate nothing, so Numba's
# reference counting is switched off for them: counting each array at each use made whole
# games six times slower. A kernel that allocates is a plain `njit`.
kernel = njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)

# For what runs at every shot: a call that passes the two tuples costs more than its work.
inlined = njit(_nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
