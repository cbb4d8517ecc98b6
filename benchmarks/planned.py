"""What two commits made of the same recorded moves: lost, gained, distance left, time.

Owns the comparison of one move and the figures and tables of all. It plans nothing and holds no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from benchmarks.yardstick import Judged

BASE, HEAD = 0, 1
WORSE_INCHES = 2.0
"""A move that leaves a unit more than this farther to go in all stands in a list of names."""
SAME_INCHES = 1e-6
DEAREST = 10
MOST_NAMES = 20
"""The number of names in a list of the table; the JSON has all."""
MS = 1e3


@dataclass(frozen=True, slots=True)
class Compared:
    """One move as base and head planned it: seconds and worth of each."""

    name: str
    kind: str
    shapes: str
    is_walled: bool
    is_high: bool
    seconds: tuple[float, float]
    worth: tuple[Judged, Judged]

    @property
    def is_lost(self) -> bool:
        """Return whether base finds a legal move and head none."""
        return self.worth[BASE].is_good and not self.worth[HEAD].is_good

    @property
    def is_gained(self) -> bool:
        """Return whether head finds a legal move and base none."""
        return self.worth[HEAD].is_good and not self.worth[BASE].is_good

    @property
    def are_both(self) -> bool:
        """Return whether both find a legal move: then what is left is compared."""
        return self.worth[BASE].is_good and self.worth[HEAD].is_good

    @property
    def farther(self) -> float:
        """Return by how many inches head leaves the unit farther from the goal, in all."""
        return self.worth[HEAD].total - self.worth[BASE].total

    def figures(self) -> dict[str, Any]:
        """Return its figures by name."""
        found = asdict(self)
        found["worth"] = [
            {"found": each.is_found, "faults": each.faults, "left": each.total} for each in self.worth
        ]
        return found


@dataclass(frozen=True, slots=True)
class Total:
    """The sums over some moves, as pairs of base and head."""

    moves: int
    lost: int
    gained: int
    illegal: tuple[int, int]
    left: tuple[float, float]
    seconds: tuple[float, float]
    same: int
    """The number of moves that leave every model as much, that of base and that of head."""

    @classmethod
    def of(cls, moves: Sequence[Compared]) -> Total:
        """Return the sums."""

        def pair(figure: Callable[[Compared, int], float], some: Iterable[Compared]) -> tuple[float, float]:
            rows = [(figure(move, BASE), figure(move, HEAD)) for move in some]
            return sum(row[0] for row in rows), sum(row[1] for row in rows)

        both = [move for move in moves if move.are_both]
        illegal = [sum(bool(move.worth[who].faults) for move in moves) for who in (BASE, HEAD)]
        return cls(
            moves=len(moves),
            lost=sum(move.is_lost for move in moves),
            gained=sum(move.is_gained for move in moves),
            illegal=(illegal[0], illegal[1]),
            left=pair(lambda move, who: move.worth[who].total, both),
            seconds=pair(lambda move, who: move.seconds[who], moves),
            same=sum(_are_same(move) for move in moves),
        )

    @property
    def ratio(self) -> float:
        """Return the time of head in shares of base's."""
        return self.seconds[HEAD] / self.seconds[BASE] if self.seconds[BASE] else 1.0


def _are_same(move: Compared) -> bool:
    base, head = move.worth
    pairs = zip(base.left, head.left, strict=True)
    return base.is_good == head.is_good and all(abs(a - b) <= SAME_INCHES for a, b in pairs)


def groups(moves: Sequence[Compared]) -> dict[str, list[Compared]]:
    """Return the moves by kind, by shapes of the bases, on walled tables, from floors, and all."""
    found: dict[str, list[Compared]] = {}
    for move in sorted(moves, key=lambda move: move.kind):
        found.setdefault(move.kind, []).append(move)
    for move in sorted(moves, key=lambda move: move.shapes, reverse=True):
        found.setdefault(move.shapes, []).append(move)
    found["walled tables"] = [move for move in moves if move.is_walled]
    found["from floors"] = [move for move in moves if move.is_high]
    return {**found, "all": list(moves)}


def dearest(moves: Sequence[Compared], who: int) -> list[Compared]:
    """Return the moves that take base or head longest, the dearest first."""
    return sorted(moves, key=lambda move: -move.seconds[who])[:DEAREST]


def told_apart(moves: Sequence[Compared]) -> dict[str, list[Compared]]:
    """Return the moves that are listed by name: lost, gained, illegal, worse and better."""
    both = [move for move in moves if move.are_both]
    return {
        "lost": [move for move in moves if move.is_lost],
        "illegal": [move for move in moves if move.worth[HEAD].faults],
        "worse": sorted((m for m in both if m.farther > WORSE_INCHES), key=lambda m: -m.farther),
        "better": sorted((m for m in both if m.farther < -WORSE_INCHES), key=lambda m: m.farther),
        "gained": [move for move in moves if move.is_gained],
    }


def figures(moves: Sequence[Compared]) -> dict[str, Any]:
    """Return all figures by name."""
    totals = {name: Total.of(some) for name, some in groups(moves).items()}
    tens = {name: dearest(moves, who) for name, who in (("base", BASE), ("head", HEAD))}
    return {
        "groups": {name: {**asdict(total), "ratio": total.ratio} for name, total in totals.items()},
        "dearest": {name: [move.figures() for move in some] for name, some in tens.items()},
        "dearest_share": dearest_shares(moves),
        **{name: [move.figures() for move in some] for name, some in told_apart(moves).items()},
    }


def dearest_shares(moves: Sequence[Compared]) -> dict[str, float]:
    """Return what base's ten dearest take head, and what head's dearest is of base's, in shares."""
    ten = dearest(moves, BASE)
    before, after = (sum(move.seconds[who] for move in ten) for who in (BASE, HEAD))
    most = [max((move.seconds[who] for move in moves), default=0.0) for who in (BASE, HEAD)]
    return {
        "ten_dearest_of_base": after / before if before else 1.0,
        "dearest_of_both": most[HEAD] / most[BASE] if most[BASE] else 1.0,
    }


def tables(moves: Sequence[Compared]) -> list[Table]:
    """Return the figures as tables."""
    return [_totals(moves), *(_dearest(moves, who) for who in (BASE, HEAD)), _names(moves)]


def _totals(moves: Sequence[Compared]) -> Table:
    columns = ("moves", "lost", "gained", "illegal", "left in inches", "same ends", "seconds", "ratio")
    made = Table("kind", *columns, title="Moves of units, base -> head")
    for name, some in groups(moves).items():
        total = Total.of(some)
        made.add_row(
            name,
            str(total.moves),
            str(total.lost),
            str(total.gained),
            f"{total.illegal[0]} -> {total.illegal[1]}",
            f"{total.left[0]:,.1f} -> {total.left[1]:,.1f}",
            str(total.same),
            f"{total.seconds[0]:.2f} -> {total.seconds[1]:.2f}",
            f"{total.ratio:.3f}",
        )
    return made


def _dearest(moves: Sequence[Compared], who: int) -> Table:
    shares = dearest_shares(moves)
    title = f"The ten dearest of base: together {shares['ten_dearest_of_base']:.3f} of their time"
    if who == HEAD:
        title = f"The ten dearest of head: the first takes {shares['dearest_of_both']:.3f} of base's dearest"
    made = Table("move", "kind", "bases", "ms of base", "ms of head", title=title)
    for move in dearest(moves, who):
        times = [f"{MS * seconds:.1f}" for seconds in move.seconds]
        made.add_row(move.name, move.kind, move.shapes, *times)
    return made


def _names(moves: Sequence[Compared]) -> Table:
    made = Table("", "moves", title=f"By name; worse and better by more than {WORSE_INCHES:g} inches")
    for name, some in told_apart(moves).items():
        words = [_told(move, name) for move in some[:MOST_NAMES]]
        made.add_row(f"{name}: {len(some)}", "\n".join(words))
    return made


def _told(move: Compared, name: str) -> str:
    about = f"{move.name} ({move.kind}, {move.shapes})"
    if name in ("worse", "better"):
        return f"{about}: {move.worth[BASE].total:.1f} -> {move.worth[HEAD].total:.1f}"
    faults = move.worth[BASE if name == "gained" else HEAD].faults
    return f"{about}: {'; '.join(faults) or 'none found'}"
