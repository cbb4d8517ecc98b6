"""The table at the moment that is shown, and as it would be with models elsewhere.

Owns which battle is asked. Of a recording no battle is known: its table goes by what is printed, and nothing
is said of what only rules could say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine.core.event import Pose
from engine.core.request import Moves, Places
from engine.core.state import State, Unit
from engine.systems import RULESETS
from engine.w40k.attack.cover import cover
from engine.w40k.battle import Battle
from engine.w40k.ground.tabletop import Tabletop
from engine.w40k.parameters import Parameters
from engine.w40k.supposition import at_poses, supposed
from viewer.input.answering import Answering
from viewer.input.seeing import Cover


class Moment:
    """A state of a battle with its table, and the battle itself where that is known."""

    def __init__(self, state: State, battle: Battle | None = None) -> None:
        """Take the state, and the battle whose state it is."""
        self.state, self.battle = state, battle
        if battle is not None:
            self.field = battle.field
            return
        ruleset = RULESETS.get(state.ruleset)
        self.field = Tabletop(state.position, ruleset.parameters if ruleset is not None else Parameters())

    @staticmethod
    def of(state: State, game: Battle | None) -> Moment:
        """Return the moment of a state, with the rules of a battle that may have gone on since."""
        if game is None or game.state is state:
            return Moment(state, game)
        then = supposed(game, {}, state)
        return Moment(then.state, then)

    def elsewhere(self, poses: Mapping[int, Pose]) -> Moment:
        """Return the moment with models at other poses."""
        if self.battle is not None:
            then = supposed(self.battle, poses)
            return Moment(then.state, then)
        return Moment(at_poses(self.state, poses))

    def kept(self) -> Moment:
        """Return the moment for a reader beside the window; nothing changes it any more."""
        return Moment.of(self.state.copy(), self.battle)

    @property
    def cover(self) -> Cover | None:
        """Return the question which models of a unit have cover, None where no battle is known."""
        return None if self.battle is None else partial(_covered, self.battle)


def _covered(battle: Battle, attacker: Unit, target: Unit) -> frozenset[int]:
    behind = cover(battle, attacker, target)
    return frozenset(row for row, is_covered in zip(target.rows, behind, strict=True) if is_covered)


def poses_of(asked: Answering) -> dict[int, Pose]:
    """Return where the draft of a move or set-up has its models, none without a draft."""
    if isinstance(asked.draft, Places):
        return {row: pose for row, pose in asked.draft.poses.items() if row >= 0}
    if isinstance(asked.draft, Moves):
        return {row: asked.view.field.after(row, legs) for row, legs in asked.draft.paths.items() if legs}
    return {}
