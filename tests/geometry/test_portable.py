"""Equal bits on every machine: what a battle may call, and how exact our functions are."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
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
        "typing.NDArray",
        # Arrays of given numbers, and parts of arrays.
        *(
            "array",
            "asarray",
            "ascontiguousarray",
            "zeros",
            "zeros_like",
            "ones",
            "full",
            "full_like",
            "empty",
        ),
        *(
            "empty_like",
            "eye",
            "arange",
            "frombuffer",
            "fromiter",
            "concatenate",
            "append",
            "stack",
            "vstack",
        ),
        *("hstack", "column_stack", "repeat", "meshgrid", "ix_", "ndindex", "unravel_index", "triu", "where"),
        *("flatnonzero", "argwhere", "fill_diagonal", "isscalar"),
        # One operation for each element.
        *(
            "abs",
            "negative",
            "subtract",
            "multiply",
            "sqrt",
            "fmod",
            "divmod",
            "round",
            "clip",
            "minimum",
            "maximum",
        ),
        *("not_equal", "diff"),
        # Sums from the first element to the last.
        *("cumsum", "add.accumulate"),
        # The same in any order, the first among equals where one is named.
        *(
            "any",
            "count_nonzero",
            "min",
            "max",
            "ptp",
            "argmin",
            "argmax",
            "unique",
            "lexsort",
            "sort",
            "argsort",
        ),
        *(
            "minimum.reduce",
            "minimum.reduceat",
            "maximum.reduceat",
            "logical_or.reduce",
            "logical_or.reduceat",
        ),
        "logical_and.accumulate",
    },
    "shapely": {
        *(
            "Geometry",
            "Point",
            "Polygon",
            "MultiPolygon",
            "MultiPoint",
            "LineString",
            "LinearRing",
            "STRtree",
        ),
        *(
            "box",
            "points",
            "multipoints",
            "linestrings",
            "prepare",
            "get_parts",
            "get_coordinates",
            "boundary",
        ),
        # Questions about given coordinates.
        *("intersects", "covers", "geometry.polygon.orient"),
        # Its corners are some of those given.
        "convex_hull",
    },
}
"""What may be used of other modules, by the module's name."""
STABLE = {"sort", "argsort"}
"""The functions of numpy that say kind="stable".

Else the processor decides which of two equals is first.
"""
SORTING_METHODS = {"argsort"}
UNORDERED = {"sum", "mean", "dot", "prod", "std", "var", "trace", "cumprod", "argpartition"}
"""The methods of arrays that add or choose in an order of their own."""
FOREIGN = {"cmath", "decimal", "scipy", "statistics"}
"""The modules of which nothing is used."""
CONSTRUCTING = {
    *(
        "area",
        "buffer",
        "centroid",
        "difference",
        "distance",
        "dwithin",
        "intersection",
        "length",
        "normalize",
    ),
    *("shortest_line", "simplify", "symmetric_difference", "union", "union_all"),
}
"""What GEOS measures or constructs, as functions of shapely and as methods of its shapes."""
ROUNDED = {"canonical", "gaps", "outlines", "settled"}
"""The functions of `geometry/shape/constructed.py` that round what they are given."""
REVIEWED = {
    "geometry/shape/constructed.py": {
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
    "geometry/path/ground.py": {
        "area": "the field of a ground",
        "dwithin": "a base at that distance covers nothing, as the next line finds",
    },
    "geometry/measure/region.py": {"shapely.affinity.translate": "only a rounded area is made of it"},
    "geometry/measure/segment_crossing.py": {"dwithin": "only what is nearer by TOLERANCE can be crossed"},
    "engine/w40k/phase/deploy.py": {
        "buffer": "only outlines are made of it",
        "difference": "only outlines are made of it",
    },
    "engine/w40k/phase/reserves.py": {"difference": "only outlines are made of it"},
    "engine/horde/setup.py": {"difference": "only outlines are made of it"},
    "engine/scenario/board.py": dict.fromkeys(
        ("area", "buffer", "difference", "intersection", "normalize", "union_all"),
        "a scenario's zones by their outlines, before a battle",
    ),
}
"""What else of GEOS is used, by file, and why it decides nothing by its last bits."""
WHOLE = {
    "geometry/core/area.py": (2, "corners"),
    "geometry/core/unit_models.py": (1, "spots"),
    "engine/core/facts.py": (1, "points"),
    "engine/core/game.py": (1, "dice"),
    "engine/core/state.py": (1, "points"),
    "engine/horde/card_words.py": (2, "models, and tallies"),
    "engine/horde/passengers.py": (2, "places in a transport"),
    "engine/horde/steps/recruit.py": (1, "dice"),
    "engine/horde/steps/spawn.py": (3, "dice"),
    "engine/scenario/judge.py": (1, "fields that agree"),
    "engine/scenario/unit.py": (1, "wounds"),
    "engine/scenario/word.py": (1, "wounds"),
    "engine/w40k/activation/amount.py": (1, "dice"),
    "engine/w40k/activation/objective.py": (2, "objective control"),
    "engine/w40k/activation/throw.py": (2, "dice"),
    "engine/w40k/attack/attack_sequence.py": (2, "dice"),
    "engine/w40k/attack/blow.py": (3, "dice"),
    "engine/w40k/attack/hit.py": (3, "hits, and modifiers"),
    "engine/w40k/attack/outcome.py": (3, "hits, wounds, and wounds lost"),
    "engine/w40k/attack/returning.py": (1, "wounds"),
    "engine/w40k/attack/wound.py": (2, "wounds, and modifiers"),
    "engine/w40k/boarding.py": (2, "places in a transport"),
    "engine/w40k/muster.py": (2, "models"),
    "engine/w40k/phase/charge.py": (1, "dice"),
    "engine/w40k/phase/command.py": (2, "models"),
    "engine/w40k/phase/deploy.py": (3, "points"),
    "engine/w40k/verbs/effects.py": (2, "wounds, and dice"),
    "engine/w40k/words/bearing.py": (3, "models, weapons, and wounds"),
    "engine/w40k/words/units.py": (1, "models"),
    "ai/autopilot/appraisal.py": (3, "wounds, and ways in which dice fall"),
    "ai/autopilot/deployment.py": (2, "points"),
    "ai/autopilot/prospect.py": (2, "objective control"),
    "ai/autopilot/stratagem.py": (2, "dice"),
    "ai/horde/advance.py": (4, "weapons"),
    "ai/horde/boarding.py": (1, "weapons"),
    "ai/muster/builder.py": (2, "points"),
    "ai/muster/order_of_battle.py": (1, "places in a transport"),
    "ai/muster/selection.py": (4, "points, steps of points, and units"),
    "ai/muster/worth.py": (1, "objective control"),
    "ai/reckoning/armament.py": (1, "models"),
    "ai/reckoning/spread.py": (1, "models"),
}
"""How often files add whole numbers by `sum`, and what these count.

Sums of conditions need no entry.
"""


def sources() -> list[Path]:
    """Return the files on which a battle depends."""
    paths = [
        path for package in ("geometry", "engine", "ai") for path in sorted((ROOT / package).rglob("*.py"))
    ]
    return [path for path in paths if "audit" not in path.parts]


def aliases(tree: ast.Module) -> dict[str, str]:
    """Return the names by which a module knows math, numpy and shapely, and what is in them."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update({each.asname or each.name.split(".")[0]: each.name for each in node.names})
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
    return found


def dotted(node: ast.expr) -> str:
    """Return a name with its attributes, "" where something else has them."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """Return what each node of a tree is a part of."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def faults(text: str) -> Iterator[str]:
    """Yield a phrase for each use of what machines may compute differently.

    It is "sum" for each sum of numbers.
    """
    tree = ast.parse(text)
    names, above = aliases(tree), parents(tree)
    yield from (module for module in names.values() if module.split(".")[0] in FOREIGN)
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, (ast.Pow, ast.MatMult)):
            yield "**" if isinstance(node.op, ast.Pow) else "@"
        elif isinstance(node, (ast.Name, ast.Attribute)):
            yield from _used(node, names, above)
        if isinstance(node, ast.Call):
            yield from _called(node, names)


def _used(
    node: ast.Name | ast.Attribute, names: dict[str, str], above: dict[ast.AST, ast.AST]
) -> Iterator[str]:
    """Yield what is wrong with a name, or with an attribute."""
    whole = above.get(node)
    if isinstance(whole, ast.Attribute):
        return
    first, _, rest = dotted(node).partition(".")
    module, _, inside = ".".join(filter(None, (names.get(first, ""), rest))).partition(".")
    last = inside.rpartition(".")[2] if module in EXACT else getattr(node, "attr", "")
    is_shape = "shapely" in {name.split(".")[0] for name in names.values()}
    if last in CONSTRUCTING and (module == "shapely" or is_shape):
        if not _is_rounded(node, above):
            yield last
    elif module in EXACT:
        if inside and inside not in EXACT[module]:
            yield f"{module}.{inside}"
    elif last in UNORDERED and isinstance(whole, ast.Call) and whole.func is node:
        yield f".{last}"


def _is_rounded(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Return whether something is an argument of what rounds it."""
    while node in above and not isinstance(node, ast.stmt):
        node = above[node]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ROUNDED:
            return True
    return False


def _called(node: ast.Call, names: dict[str, str]) -> Iterator[str]:
    """Yield what is wrong with a call: its order among equals, a sum, or a power."""
    name = dotted(node.func)
    first, _, rest = name.partition(".")
    sorts = names.get(first) == "numpy" and rest in STABLE
    if isinstance(node.func, ast.Attribute) and (sorts or node.func.attr in SORTING_METHODS):
        kinds = [each.value for each in node.keywords if each.arg == "kind"]
        if not (kinds and isinstance(kinds[0], ast.Constant) and kinds[0].value == "stable"):
            yield f"{node.func.attr} without kind"
    if name == "pow" or (name == "sum" and not _counts(node.args[0])):
        yield name


def _counts(numbers: ast.expr) -> bool:
    """Return whether what is added are conditions."""
    if not isinstance(numbers, (ast.GeneratorExp, ast.ListComp)):
        return False
    each = numbers.elt
    called = dotted(each.func).rpartition(".")[2] if isinstance(each, ast.Call) else ""
    return isinstance(each, (ast.Compare, ast.BoolOp)) or called in ("isinstance", "startswith")


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_battle_depends_on_exact_functions_alone(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    found = list(faults(path.read_text()))
    assert found.count("sum") == WHOLE.get(name, (0, ""))[0]
    assert {fault for fault in found if fault != "sum"} == set(REVIEWED.get(name, {}))


def test_files_that_were_reviewed_are_there() -> None:
    assert {*REVIEWED, *WHOLE} <= {str(path.relative_to(ROOT)) for path in sources()}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import numpy as np\nx = np.hypot(3, 4)", "numpy.hypot"),
        ("import numpy as np\nx = np.linalg.norm(y)", "numpy.linalg.norm"),
        ("import numpy as np\nx = np.add.reduce(y)", "numpy.add.reduce"),
        ("import math\nx = math.dist(a, b)", "math.dist"),
        ("import math as m\nx = map(m.sin, y)", "math.sin"),
        ("from math import atan2", ""),
        ("from math import atan2\nx = atan2(1, 2)", "math.atan2"),
        ("x = a @ b", "@"),
        ("x **= 2", "**"),
        ("x = y.sum(axis=1)", ".sum"),
        ("x = (a * b).mean()", ".mean"),
        ("x = sum(y)", "sum"),
        ("x = sum(y for y in z)", "sum"),
        ("x = sum(y > 1 for y in z)", ""),
        ("x = pow(y, 2)", "pow"),
        ("import numpy as np\nx = np.argsort(y)", "argsort without kind"),
        ("import numpy as np\nx = np.argsort(y, kind='stable')", ""),
        ("x = y.argsort()", "argsort without kind"),
        ("import statistics", "statistics"),
        ("import shapely\nx = shapely.distance(a, b) < 1", "distance"),
        ("import shapely\nx = a.buffer(1)", "buffer"),
        ("import shapely\nx = outlines(shapely.box(0, 0, 1, 1).intersection(a))", ""),
        ("import shapely\nx = shapely.voronoi_polygons(a)", "shapely.voronoi_polygons"),
        ("x = a.union(b)", ""),
    ],
)
def test_what_differs_between_machines_is_found(text: str, fault: str) -> None:
    assert list(faults(text)) == ([fault] if fault else [])


CHANCE = random.Random(31)
VECTORS = np.array([(CHANCE.uniform(-60, 60), CHANCE.uniform(-60, 60)) for _ in range(2_000)])
ANGLES = np.array([CHANCE.uniform(-20, 20) for _ in range(2_000)] + [i * math.pi / 4 for i in range(-16, 17)])
ULPS = 4 * np.finfo(np.float64).eps
"""Some units in the last place of 1."""


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (portable.norms(VECTORS), [math.hypot(x, y) for x, y in VECTORS]),
        (portable.angles_of(VECTORS), [math.atan2(y, x) for x, y in VECTORS]),
        (portable.ways_at(ANGLES), [(math.cos(a), math.sin(a)) for a in ANGLES]),
        (portable.radians(ANGLES), [math.radians(a) for a in ANGLES]),
        (portable.degrees(ANGLES), [math.degrees(a) for a in ANGLES]),
        (
            portable.dots(VECTORS, VECTORS[::-1]),
            [a * c + b * d for (a, b), (c, d) in zip(VECTORS, VECTORS[::-1], strict=True)],
        ),
        (portable.mean_point(VECTORS), [math.fsum(axis) / len(VECTORS) for axis in VECTORS.T]),
    ],
    ids=["norms", "angles_of", "ways_at", "radians", "degrees", "dots", "mean_point"],
)
def test_our_functions_err_by_some_units_in_the_last_place(ours: np.ndarray, theirs: list[float]) -> None:
    # A whole turn is reduced by the double nearest to it, which is three turns off by 7e-16 here.
    np.testing.assert_allclose(ours, theirs, rtol=ULPS, atol=8 * ULPS)


@pytest.mark.parametrize(
    ("array", "numbers"),
    [
        (portable.norms(VECTORS), [portable.norm(x, y) for x, y in VECTORS.tolist()]),
        (
            portable.norms(VECTORS[1:] - VECTORS[:-1]),
            [portable.span(a, b) for a, b in pairwise(VECTORS)],
        ),
        (
            portable.dots(VECTORS, VECTORS[::-1]),
            [portable.dot(a, b) for a, b in zip(VECTORS, VECTORS[::-1], strict=True)],
        ),
        (portable.angles_of(VECTORS), [portable.angle_of(x, y) for x, y in VECTORS.tolist()]),
        (portable.ways_at(ANGLES), [portable.way_at(angle) for angle in ANGLES.tolist()]),
        (portable.radians(ANGLES), [portable.radians(angle) for angle in ANGLES.tolist()]),
        (portable.degrees(ANGLES), [portable.degrees(angle) for angle in ANGLES.tolist()]),
        (portable.mean_point(VECTORS), [portable.sum_of(axis) / len(VECTORS) for axis in VECTORS.T.tolist()]),
    ],
    ids=["norms", "span", "dots", "angles_of", "ways_at", "radians", "degrees", "mean_point"],
)
def test_arrays_and_numbers_have_equal_bits(array: np.ndarray, numbers: list[float]) -> None:
    assert array.tobytes() == np.array(numbers).tobytes()


@pytest.mark.parametrize(
    "function",
    [portable.norms, portable.angles_of, lambda each: portable.dots(each, each)],
    ids=["norms", "angles_of", "dots"],
)
def test_arrays_of_any_shape_are_taken(function: Callable[[np.ndarray], np.ndarray]) -> None:
    whole = function(VECTORS)
    assert function(VECTORS.reshape(40, 50, 2)).tobytes() == whole.tobytes()
    assert function(VECTORS[::3]).tobytes() == whole[::3].tobytes()
    assert function(VECTORS[:0]).shape == (0,)


def test_a_sum_is_added_from_the_left() -> None:
    assert portable.sum_of([1e16, 1.0, -1e16]) == 0.0
    assert portable.sum_of(iter([0.1] * 10)) == 0.9999999999999999
    assert portable.sum_of([]) == 0.0


@pytest.mark.parametrize(("base", "exponent"), [(0.5, 3), (0.0, 0), (2 / 3, 7)])
def test_a_power_is_a_product(base: float, exponent: int) -> None:
    assert portable.power(base, exponent) == pytest.approx(math.pow(base, exponent), rel=1e-15)


def test_an_area_that_geos_constructs_has_one_form() -> None:
    box = shapely.box(0, 0, 10, 10)
    holed = box.difference(shapely.box(3, 3, 5, 5)).difference(shapely.box(6, -1, 7, 11))
    left, right = outlines(holed)
    assert left == ((0.0, 0.0), (6.0, 0.0), (6.0, 10.0), (0.0, 10.0))
    assert right[0] == (7.0, 0.0)
    other = shapely.transform(holed.reverse().normalize(), lambda points: points + 1e-12)
    assert canonical(other).wkb == canonical(holed).wkb


def test_distances_are_rounded() -> None:
    assert gaps(shapely.Point(0, 0), shapely.Point(3 + 1e-12, 4)).item() == 5.0
    assert not np.signbit(settled(np.array([-1e-12]))).any()
