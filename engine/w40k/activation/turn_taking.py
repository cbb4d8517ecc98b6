"""Several players in one step: which is asked next, which is done. Rule: PLAY.1, SP.4

One seat is asked at a time. The seat that acted last goes on until it is done or lets another player act. The
players can so act in any order. A step ends when every player that can still act is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.request import Option
from engine.core.state import MarkValue, Player

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

DONE = "done"
"""The option to be done with a step."""
PASS = "pass"
"""The option to let another player act first."""
_ACTING = "acting:"
_PASSED = "passed:"


def next_seat(battle: Battle, seats: Sequence[str], step: str) -> str | None:
    """Return which of the seats that can act in a step is asked next; None where all are done."""
    left = [seat for seat in seats if not is_done(battle, seat, step)]
    waiting = _not_passed(battle, left, step) or left
    acting = str(battle.state.marks.get(_ACTING + step, ""))
    everyone = list(battle.state.players)
    begin = everyone.index(acting) if acting in everyone else 0
    ring = [*everyone[begin:], *everyone[:begin]]
    return min(waiting, key=ring.index, default=None)


def is_done(battle: Battle, seat: str, step: str) -> bool:
    """Return whether a player is done with a step: with buying, until it gains SP. Rule: SP.4"""
    player = battle.state.players[seat]
    key = f"{DONE}:{step}"
    if key not in player.marks:
        return False
    return _is_done_with(player, key)


def is_done_here(player: Player) -> bool:
    """Return whether a player is done with a step of the phase; with buying, until it gains SP."""
    steps = [key for key in player.marks.values if key.startswith(f"{DONE}:")]
    return any(_is_done_with(player, key) for key in steps)


def _is_done_with(player: Player, key: str) -> bool:
    """Return whether the mark of a step says that a player is done with it."""
    return player.marks.get(key) is True or player.sp <= player.marks.count(key)


def ways_out(
    battle: Battle, seat: str, seats: Sequence[str], step: str, label: str, *, may_stop: bool = True
) -> tuple[Option, ...]:
    """Return what a seat may do but act: be done, let another player act first.

    `seats` are all that can act. Others that have all passed since the last act are not let act again.
    """
    others = [each for each in seats if each != seat and not is_done(battle, each, step)]
    stop = (Option(id=DONE, label=label),) if may_stop else ()
    if not _not_passed(battle, others, step):
        return stop
    return (*stop, Option(id=PASS, label="Let another player act first"))


def finish(battle: Battle, seat: str, step: str, cause: str, supply: int | None = None) -> None:
    """Note that a player is done with a step for this phase; with buying, at these SP."""
    _mark(battle, f"player:{seat}", f"{DONE}:{step}", True if supply is None else supply, cause)


def let_others(battle: Battle, seat: str, step: str, cause: str) -> None:
    """Note that a player lets another one act first."""
    passed = battle.state.marks.names(_PASSED + step)
    _mark(battle, "battle", _PASSED + step, (*passed, seat), cause)


def acts(battle: Battle, seat: str, step: str, cause: str) -> None:
    """Note which player acts, where there are several: it is asked again first."""
    if len(battle.state.players) == 1:
        return
    if battle.state.marks.get(_ACTING + step) != seat:
        _mark(battle, "battle", _ACTING + step, seat, cause)
    if battle.state.marks.names(_PASSED + step):
        _mark(battle, "battle", _PASSED + step, None, cause)


def _not_passed(battle: Battle, seats: Sequence[str], step: str) -> list[str]:
    passed = battle.state.marks.names(_PASSED + step)
    return [seat for seat in seats if seat not in passed]


def _mark(battle: Battle, on: str, key: str, value: MarkValue | None, cause: str) -> None:
    battle.log(ev.Marked(on=on, key=key, value=value, until="phase"), cause)
