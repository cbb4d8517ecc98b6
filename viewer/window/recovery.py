"""A battle after a fault: made anew from its answers, and what a report holds of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.core.journal import journal_of
from viewer.input.fault_bundle import Part
from viewer.input.seat import Seated
from viewer.story.live import Live
from viewer.window.message import Message
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat

STAYS = 30.0
"""How long the window says that something failed, in seconds."""
REPLAY = "Something failed. The replay stands still here"
WATCHED = "Something failed. The battle goes on from its last answer"
PLAYED = "Something failed. The battle goes on from your last answer"
LEFT_OUT = "The last answer failed. The battle goes on before it"


class BattleRecovery:
    """How a battle goes on after a fault, or its replay."""

    def __init__(
        self, playback: Playback, player: PlayerSeat, message: Message, let_go: Callable[[], None]
    ) -> None:
        """Take the battle, its player, where faults are shown, and what lets go of all else."""
        self._playback, self._player, self._message, self._let_go = playback, player, message, let_go

    def recover(self) -> str:
        """Let go of all that is held and make the battle anew; return in a sentence what goes on.

        A replay stands still where it was.
        """
        playback, source = self._playback, self._playback.source
        self._player.forget()
        if not isinstance(source, Live):
            playback.seek(playback.cursor)
            playback.playing = False
            self._let_go()
            return REPLAY
        is_whole = source.rebuild()
        playback.renew()
        playback.playing = True
        self._let_go()
        if not is_whole:
            return LEFT_OUT
        return PLAYED if self._player.plays else WATCHED

    def tell(self, words: str, more: str) -> None:
        """Show what happened, in a sentence and a second line."""
        self._message.say(words, more, is_bad=True, stays=STAYS)

    @property
    def given(self) -> int:
        """Return how many answers a battle has; of a replay, how much of it is shown."""
        source = self._playback.source
        return len(source.game.answers) if isinstance(source, Live) else self._playback.cursor

    def evidence(self) -> Mapping[str, Part]:
        """Return what a report holds of the battle, by the names of its files."""
        source, playback = self._playback.source, self._playback
        found: dict[str, Part] = {"moment.txt": lambda: _moment(playback).encode()}
        if isinstance(source, Live):
            found["battle.journal"] = lambda: journal_of(source.game)
        return found


def _moment(playback: Playback) -> str:
    """Return which moment was shown, and what was asked."""
    state, source = playback.state, playback.source
    lines = [
        f"round {state.round}, turn {state.turn or 'none'}, phase {state.phase or 'none'}",
        f"shown: {playback.cursor} of {len(playback.chronicle)} entries",
    ]
    if isinstance(source, Live):
        pending = source.game.pending
        lines.append(f"answers: {len(source.game.answers)}")
        lines.append(
            f"pending: {pending.decision} of {pending.rule}" if pending is not None else "pending: none"
        )
    if isinstance(source, Seated):
        lines.append(f"seats asked: {', '.join(source.asked) or 'none'}")
    return "".join(f"{line}\n" for line in lines)
