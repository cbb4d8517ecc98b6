"""Puts the functions that machines compute differently off by one unit in the last place.

`act` replaces them in `math`, `numpy` and `shapely`, and the built-in `sum` and `pow`, for the process that
calls it, before modules that take them by name are imported. A result that is 0, infinite or not a number
stays. What cannot be replaced are `**` and `@` between values, and the methods `sum`, `mean` and `dot` of
arrays: `tests/geometry/test_portable.py` looks for these in the source.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import shapely

IN_MATH = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "degrees", "dist"),
    *("erf", "erfc", "exp", "exp2", "expm1", "gamma", "hypot", "lgamma", "log", "log10", "log1p", "log2"),
    *("pow", "radians", "sin", "sinh", "sumprod", "tan", "tanh"),
)
IN_NUMPY = (
    *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cbrt", "cos", "cosh"),
    *("deg2rad", "degrees", "exp", "exp2", "expm1", "float_power", "hypot", "log", "log10", "log1p", "log2"),
    *("logaddexp", "logaddexp2", "power", "rad2deg", "radians", "sin", "sinh", "tan", "tanh"),
    *("average", "dot", "einsum", "inner", "linspace", "matmul", "mean", "prod", "std", "sum", "tensordot"),
    *("trace", "var", "vdot"),
)
MEASURED = ("area", "distance", "hausdorff_distance", "length")
CONSTRUCTED = ("buffer", "centroid", "difference", "intersection", "shortest_line", "union", "union_all")
"""The functions of shapely that measure, and those that construct points."""


def shifted(found: Any) -> Any:
    """Return a number or an array off by one unit in the last place, up or down by its bits."""
    if type(found) is float or isinstance(found, np.floating):
        return type(found)(_shifted(np.float64(found)))
    if isinstance(found, np.ndarray) and found.dtype == np.float64:
        found[...] = _shifted(found)
    return found


def _shifted(found: Any) -> Any:
    bits = np.asarray(found).view(np.int64)
    way = np.where((bits ^ bits >> 7 ^ bits >> 19) & 1, np.inf, -np.inf)
    return np.where((found == 0) | ~np.isfinite(found), found, np.nextafter(found, way))


def constructed(found: Any) -> Any:
    """Return a shape with each of its coordinates off by one unit in the last place."""
    return shapely.transform(found, lambda points: shifted(points.copy()))


def off(function: Callable[..., Any], shift: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a function whose results are shifted."""

    @wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        return shift(function(*given, **named))

    return run


def act() -> None:
    """Replace the functions, in this process, from now on."""
    for module, names, shift in (
        (math, IN_MATH, shifted),
        (np, IN_NUMPY, shifted),
        (shapely, MEASURED, shifted),
        (shapely, CONSTRUCTED, constructed),
        (builtins, ("pow", "sum"), shifted),
    ):
        for name in names:
            if hasattr(module, name):
                setattr(module, name, off(getattr(module, name), shift))
