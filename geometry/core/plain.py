"""The records of the core and its memory, where nothing compiled the core.

Compiled, a record is a C structure that the `.pxd` beside its module declares, and a table of records is a
block of memory. Uncompiled, a record is an object of a class here, and a table is a list of these.
"""

from __future__ import annotations

from typing import TypeVar

Record = TypeVar("Record")


def table(kind: type[Record], count: int, known: list[Record] | None = None) -> list[Record]:
    """Return a table of at least `count` records, those that are known first."""
    found = known if known is not None else []
    found.extend(kind() for _ in range(count - len(found)))
    return found


def free(_block: object) -> None:
    """Do nothing: Python itself frees a list."""


def realloc(block: list[Record], _size: int) -> list[Record]:
    """Return the block: lists grow by `table`, and only compiled code asks for memory."""
    return block


class Arc:
    """One arc of a rim and the edge after it; `shapes.py` says what each field holds."""

    __slots__ = (
        "begin_x",
        "begin_y",
        "centre_x",
        "centre_y",
        "edge",
        "end_x",
        "end_y",
        "following",
        "held",
        "held_x",
        "held_y",
        "place",
        "radius",
        "sweep",
    )
    centre_x: float
    centre_y: float
    radius: float
    begin_x: float
    begin_y: float
    end_x: float
    end_y: float
    sweep: float
    place: float
    edge: float
    held_x: float
    held_y: float
    held: float
    following: int


class Shape:
    """One convex shape of a table; `geometry/core/shapes.py` says what each field holds."""

    __slots__ = (
        "absent",
        "arcs",
        "count",
        "cover",
        "first",
        "height",
        "inner",
        "middle_x",
        "middle_y",
        "perimeter",
        "reach",
    )
    middle_x: float
    middle_y: float
    reach: float
    inner: float
    perimeter: float
    height: float
    arcs: list[Arc]
    first: int
    count: int
    cover: int
    absent: bool

    def __init__(self) -> None:
        """Stand in a table."""
        self.absent, self.cover, self.height = False, -1, float("inf")


class Tangent:
    """A line tangent to two rims; `tangents.py` says what each field holds."""

    __slots__ = (
        "arrives",
        "blocker",
        "climb",
        "end_x",
        "end_y",
        "leaves",
        "length",
        "row",
        "start_x",
        "start_y",
        "turn",
    )
    leaves: float
    arrives: float
    length: float
    start_x: float
    start_y: float
    end_x: float
    end_y: float
    row: int
    turn: int
    blocker: int
    climb: float


class Stretch:
    """The last stretch of a way; `geometry/core/targets.py` says what each field holds."""

    __slots__ = ("begin_x", "begin_y", "clear", "climb", "end_x", "end_y", "leaves", "length", "row", "turn")
    leaves: float
    length: float
    begin_x: float
    begin_y: float
    end_x: float
    end_y: float
    row: int
    turn: int
    clear: int
    climb: float


class Entry:
    """What waits in a frontier's queue; `geometry/core/frontier.py` says what each field holds."""

    __slots__ = ("bound", "far", "index", "step")
    bound: float
    far: float
    step: int
    index: int


class Step:
    """An arrival on a rim; `geometry/core/frontier.py` says what each field holds."""

    __slots__ = ("before", "far", "leaves", "place", "room", "row", "turn", "x", "y")
    place: float
    far: float
    leaves: float
    room: float
    x: float
    y: float
    row: int
    turn: int
    before: int


ArcTable = list[Arc]
ShapeTable = list[Shape]
TangentTable = list[Tangent]
StretchTable = list[Stretch]
EntryTable = list[Entry]
StepTable = list[Step]
LengthTable = list[float]
