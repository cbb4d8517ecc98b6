"""Equal bits on every machine: what geometry, engine and ai may call, and how exact our own functions are."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import shapely

from geometry import portable
from geometry.shape.constructed import canonical, gaps, outlines, settled

ROOT = Path(__file__).parent.parent.parent
EXACT = {
    "math": {
        *("pi", "tau", "inf", "nan", "isinf", "isfinite", "isnan"),
        # One operation, rounded correctly or not at all.
        *("sqrt", "fmod", "fabs", "ceil", "floor", "comb", "nextafter", "copysign"),
    },
    "numpy": {
        *("pi", "inf", "newaxis", "float64", "bool_", "intp", "int32", "int64", "uint8", "ndarray"),
        # Arrays of given numbers, and parts of arrays.
        *("array", "asarray", "ascontiguousarray", "zeros", "zeros_like", "ones", "full", "full_like", "empty"),
        *("empty_like", "eye", "arange", "frombuffer", "fromiter", "concatenate", "append", "stack", "vstack"),
        *("hstack", "column_stack", "repeat", "meshgrid", "ix_", "ndindex", "unravel_index", "triu", "where"),
        *("flatnonzero", "argwhere", "fill_diagonal", "isscalar"),
        # One operation for each element.
        *("abs", "negative", "subtract", "multiply", "sqrt", "fmod", "divmod", "round", "clip", "minimum", "maximum"),
        *("not_equal", "diff"),
        # Sums from the first element to the last.
        *("cumsum", "add.accumulate"),
        # The same in any order, the first among equals where one is named.
        *("any", "count_nonzero", "min", "max", "ptp", "argmin", "argmax", "unique", "lexsort", "sort", "argsort"),
        *("minimum.reduce", "minimum.reduceat", "maximum.reduceat", "logical_or.reduce", "logical_or.reduceat"),
        "logical_and.accumulate",
    },
    "shapely": {
        *("Geometry", "Point", "Polygon", "MultiPolygon", "MultiPoint", "LineString", "LinearRing", "STRtree"),
        *("box", "points", "multipoints", "linestrings", "prepare", "get_parts", "get_coordinates", "boundary"),
        # Questions about given coordinates.
        *("intersects", "covers", "orient_polygons", "geometry.polygon.orient"),
        # Its corners are some of those given.
        "convex_hull",
    },
}
"""What may be used of other modules, by the module's name."""
STABLE = {"sort", "argsort"}
"""The functions of numpy that say kind="stable": which of two equals is first is the processor's else."""
SORTING_METHODS = {"argsort"}
UNORDERED = {"sum", "mean", "dot", "prod", "std", "var", "trace", "cumprod", "argpartition"}
"""The methods of arrays that add or choose in an order of their own."""
FOREIGN = {"cmath", "decimal", "random", "scipy", "statistics"}
"""The modules of which nothing is used; `tests/test_layers.py` says where `random` is."""
CONSTRUCTING = {
    *("area", "buffer", "centroid", "difference", "distance", "dwithin", "intersection", "length", "normalize"),
    *("shortest_line", "simplify", "symmetric_difference", "union", "union_all"),
}
"""What GEOS measures or constructs, as functions of shapely and as methods of its shapes."""
ROUNDED = {"canonical", "gaps", "outlines", "settled"}
"""The functions of `geometry/shape/constructed.py` that round what they are given."""
REVIEWED = {
    "geometry/shape/constructed.py": {
        "distance": "it is rounded here",
        "area": "a sliver has far less area, all else far more",
    },
    "geometry/shape/polygon.py": {"area": "of given corners: nothing has almost as little area as a line"},
    "geometry/sight/seam.py": {
        "buffer": "only what is rounded is made of it",
        "intersection": "only what is rounded is made of it",
    },
    "geometry/path/obstacles.py": {
        "dwithin": "nothing is so close to walls and yet apart: a base that touches them is SLACK farther off"
    },
    "geometry/path/ground.py": {"dwithin": "a base at that distance covers nothing, as the next line finds"},
    "geometry/measure/segment_crossing.py": {"dwithin": "only what is nearer by TOLERANCE can be crossed"},
    "engine/w40k/phase/deploy.py": {
        "buffer": "only outlines are made of it",
        "difference": "only outlines are made of it",
    },
    "engine/w40k/phase/reserves.py": {"difference": "only outlines are made of it"},
    "engine/horde/setup.py": {"difference": "only outlines are made of it"},
    "engine/scenario/board.py": dict.fromkeys(
        ("area", "buffer", "centroid", "difference", "intersection", "normalize", "union_all"),
        "a scenario's zones by their outlines, before a battle",
    ),
}
"""What else of GEOS is used, by file, and why it decides nothing by its last bits."""
WHOLE = {
    "points and prices": {
        *("part.points for part in self.parts", "f.points for f in waiting", "f.points for f in mine"),
        "f.points for f in mine if facts.id in (f.id, f.embarked_in)",
        *('u.facts.points for u in view.reserves("players")', 'u.facts.points for u in view.units("players")'),
        *("pick.cost for pick in bundle", "pick.cost for pick in drawn[-1]", "pick.cost for pick in army"),
        *("p.cost for p in b", "-(-pick.cost // STEP) for pick in bundle"),
    },
    "dice": {
        *("kept", "roll", "natural", "dice", "found", "self.dice", "rolled.dice"),
        *("self.dice[i:i + self.size]", "dice[i * count:(i + 1) * count]"),
        "battle.roll(roll, count, sides, unit=unit, target=target, cause=cause)",
        "battle.roll('battle-shock', count, unit=unit.id, need=need, cause=cause, trail=trail)",
        "max(1, sum(dice[i * count:(i + 1) * count]) + more[i] + each) for i in range(models)",
        *("(yield from offer_again(battle, throw))", "volley.extra(battle, 'sustained hits', critical)"),
        *("amount for _, amount in own", "a for _, a in own"),
        "max(0, 6 - abs(7 - total)) for total in range(need, 13)",
    },
    "models, wounds and control": {},
}
