"""The only chance in the engine: named streams of numbers, all grown from one seed.

A stream's state is how many numbers it has given, which every roll's event tells; so dice can be set back
to any moment of a log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from datasheets.errors import HordeError

T = TypeVar("T")
AGAIN = "-reroll"
"""What the kind of a roll that is made again ends in."""


def base_of(roll: str) -> str:
    """Return the kind of a roll, be it made again or not."""
    return roll.removesuffix(AGAIN)


class BadScript(HordeError):  # noqa: N818 - it names what is wrong with a script of dice
    """A script of dice that does not fit the rolls that are made."""


class Dice:
    """Named streams of dice.

    Only `Random.random` is drawn: Python promises to keep its sequence.
    """

    def __init__(
        self, seed: int, scripted: Mapping[str, Sequence[int]] | None = None, strict: bool = False
    ) -> None:
        """Seed the streams; `scripted` gives rolls by kind, used up before chance is asked.

        A `strict` script has all dice of its kinds: one more raises BadScript. A roll made again that has
        no dice of its own kind (hit-reroll) takes what is left of the first roll's (hit).
        """
        self.seed = seed
        self.strict = strict
        self.draws: dict[str, int] = {}
        self.scripted = {kind: deque(values) for kind, values in (scripted or {}).items()}
        self._streams: dict[str, Random] = {}

    def restore(self, draws: dict[str, int]) -> None:
        """Set every stream to the moment at which it had given this many numbers."""
        self.draws = {}
        self._streams = {}
        for name, count in draws.items():
            stream = self._stream(name)
            for _ in range(count):
                stream.random()
            self.draws[name] = count

    def die(self, kind: str, sides: int, stream: str) -> int:
        """Return one die of this kind of roll."""
        script = self.scripted.get(kind)
        if self.strict and script is not None and not script:
            raise BadScript(f"The dice scripted for '{kind}' are used up, and one more is rolled.")
        script = script or self.scripted.get(base_of(kind))
        if script:
            return self._face(script.popleft(), kind, sides)
        return int(self._next(stream) * sides) + 1

    @staticmethod
    def _face(face: int, kind: str, sides: int) -> int:
        """Return a scripted face; one that such a die does not have raises BadScript.

        Of a D3, 4 to 6 are those of the D6 as which it is thrown. Rule: CORE.DICE.2
        """
        if sides == 3 and 3 < face <= 6:
            return (face + 1) // 2
        if not 1 <= face <= sides:
            raise BadScript(f"A die scripted for '{kind}' shows {face}; it is rolled with {sides} sides.")
        return face

    def index(self, count: int, stream: str) -> int:
        """Return a random index below `count`."""
        return int(self._next(stream) * count)

    def shuffled(self, items: Sequence[T], stream: str) -> tuple[T, ...]:
        """Return the items in a random order."""
        left = list(items)
        return tuple(left.pop(self.index(len(left), stream)) for _ in range(len(items)))

    def _next(self, name: str) -> float:
        self.draws[name] = self.draws.get(name, 0) + 1
        return self._stream(name).random()

    def _stream(self, name: str) -> Random:
        if name not in self._streams:
            self._streams[name] = Random(f"{self.seed}/{name}")
        return self._streams[name]


class AgentDice:
    """An agent's own chance: a fresh stream for each answer, so that undo never shifts it."""

    def __init__(self, seed: int, seat: str) -> None:
        """Seed the streams of one seat."""
        self._seed = f"{seed}/agent/{seat}"

    def index(self, count: int, stream: str, moment: int, salt: str = "") -> int:
        """Return a random index below `count` for the `moment`-th answer of the battle."""
        return int(Random(f"{self._seed}/{stream}/{moment}/{salt}").random() * count)
