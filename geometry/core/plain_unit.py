"""The records of the planner of moves as plain Python, for where nothing compiled the core.

`geometry/core/plain.py` says how records are kept.
"""

from __future__ import annotations


class Curve:
    """A circle, arc or edge; `geometry/core/curves.py` says what each field holds."""

    __slots__ = (
        "begin_x",
        "begin_y",
        "block",
        "block_x",
        "block_y",
        "end_x",
        "end_y",
        "kind",
        "middle_x",
        "middle_y",
        "radius",
        "reach",
        "x",
        "y",
    )
    kind: int
    x: float
    y: float
    radius: float
    begin_x: float
    begin_y: float
    end_x: float
    end_y: float
    middle_x: float
    middle_y: float
    reach: float
    block_x: float
    block_y: float
    block: float


class Rim:
    """The curves of one shape; `geometry/core/curves.py` says what each field holds."""

    __slots__ = ("first", "reach", "x", "y")
    first: int
    x: float
    y: float
    reach: float


class Spot:
    """A place for a base; `geometry/core/curves.py` says what each field holds."""

    __slots__ = ("left", "x", "y")
    x: float
    y: float
    left: float


class Model:
    """One model of a unit; `geometry/core/unit_models.py` says what each field holds."""

    __slots__ = (
        "aim_x",
        "aim_y",
        "began",
        "end_x",
        "end_y",
        "first_option",
        "is_closed",
        "is_placed",
        "is_turned",
        "kind",
        "least",
        "left",
        "limit",
        "mark",
        "option",
        "ousted",
        "x",
        "y",
    )
    x: float
    y: float
    first_option: int
    option: int
    kind: int
    limit: float
    began: float
    least: float
    aim_x: float
    aim_y: float
    is_closed: bool
    is_turned: bool
    is_placed: bool
    end_x: float
    end_y: float
    left: float
    mark: int
    ousted: int


class Option:
    """One way for a model to begin; `geometry/core/unit_models.py` says what each field holds."""

    __slots__ = ("aim_x", "aim_y", "began", "is_closed", "kind", "least", "limit", "next_x", "next_y")
    kind: int
    limit: float
    began: float
    least: float
    aim_x: float
    aim_y: float
    next_x: float
    next_y: float
    is_closed: bool


class Border:
    """An edge of an area; `geometry/core/area.py` says what each field holds."""

    __slots__ = ("along_x", "along_y", "ax", "ay", "bx", "by", "length", "turns_right")
    ax: float
    ay: float
    bx: float
    by: float
    along_x: float
    along_y: float
    length: float
    turns_right: bool


class Chain:
    """Some edges of an area; `geometry/core/area.py` says what each field holds."""

    __slots__ = ("first", "high_y", "low_y", "reach", "x", "y")
    first: int
    x: float
    y: float
    reach: float
    low_y: float
    high_y: float


class FreeSpot:
    """A place for a base in a set-up; `geometry/core/spot_pool.py` says what each field holds."""

    __slots__ = ("far", "near", "taken", "x", "y")
    x: float
    y: float
    far: float
    near: int
    taken: int


class BaseSet:
    """A base that is set down; `geometry/core/spot_pool.py` says what each field holds."""

    __slots__ = ("curves", "pair", "rims", "spots", "x", "y")
    x: float
    y: float
    pair: int
    curves: int
    rims: int
    spots: int


CurveTable = list[Curve]
RimTable = list[Rim]
SpotTable = list[Spot]
ModelTable = list[Model]
OptionTable = list[Option]
BorderTable = list[Border]
ChainTable = list[Chain]
FreeSpotTable = list[FreeSpot]
BaseSetTable = list[BaseSet]
