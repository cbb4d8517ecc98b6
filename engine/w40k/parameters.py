"""The parameters of an edition: its distances, in inches, and its limits."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from geometry.measure.coherency import Spacing
from geometry.path.budget import MOST

RULED = {
    "models_block": ("sight.models_block", "true"),
    "from_centre": ("spawn.marker_clear", "centre"),
    "fly_charges": ("move.fly_charges", "yes"),
    "swarm_in_ruins": ("terrain.swarm_in_ruins", "yes"),
}
"""The parameters that settings set: the key of each, and the reading that makes it true."""


class Parameters(msgspec.Struct, frozen=True):
    """The numbers of an edition, in inches where they are distances."""

    engagement: float = 1.0
    engagement_barricade: float = 2.0
    """Engagement range of models with a barricade between them. Rule: CORE.ER.2"""
    engagement_vertical: float = 5.0
    spacing: Spacing = msgspec.field(default_factory=Spacing)
    objective_range: float = 3.0
    objective_vertical: float = 5.0
    """How high above a marker a model may be to be within range of it. Rule: CORE.OBJ.1"""
    marker_radius: float = 40 / 25.4 / 2
    pivot: float = 1.0
    """What the first pivot of a move costs a model whose base is not round."""
    pivot_big: float = 2.0
    """What the first pivot of a move costs a big model.

    That is a MONSTER or VEHICLE without a round base, or a VEHICLE on a large flying stem.
    """
    pivot_stem: float = 32 / 25.4
    """The diameter above which a VEHICLE's round base with a flying stem is a large one."""
    charge_range: float = 12.0
    pile_in: float = 3.0
    deep_strike: float = 9.0
    scouting: float = 9.0
    """How far from all enemies Scouts end their move. Rule: CORE.RES.7"""
    pincer: float = 3.0
    """How far from player units the Horde arrives by the misery card that lands it behind them."""
    reserves_edge: float = 6.0
    reserves_share: float = 0.5
    reserves_last_round: int = 3
    """Players' units still in reserves at its end are destroyed (CORE.RES.4)."""
    horde_reserves_objective: float = 3.0
    boarding: float = 3.0
    """The distance from a transport within which models embark and disembark.

    Models that disembark end wholly within it. Rule: CORE.TRN.1
    """
    emergency: float = 6.0
    """Within which distance they get out of a wreck with no room about it. Rule: CORE.TRN.4"""
    flight: float = 20.0
    """How far AIRCRAFT fly at the least. Rule: CORE.AIR.2"""
    flight_turn: float = 90.0
    """By how many degrees AIRCRAFT turn at the end of their flight at the most."""
    hover: float = 20.0
    """The Move of AIRCRAFT that hover. Rule: CORE.ABL.HOVER"""
    free_height: float = 2.0
    """Terrain up to this high is crossed freely."""
    roll_cap: int = 1
    """How far a hit or wound roll may be modified in all."""
    starting_cp: int = 2
    """What each player begins with. Rule: PLAY.3"""
    objectives_limit: int = 6
    keep_off_friends: bool = False
    """Whether a unit that moves keeps as far off friendly units as off enemies."""
    search: int = MOST
    """How much work the search for one move may take, in spots looked at. Rule: R.BUDGET"""
    models_block: bool = False
    """Whether MONSTER and VEHICLE models close the lines of sight between two other units.

    Rule: S.L21
    """
    from_centre: bool = False
    """Whether deep strikers of the Horde keep their distance from a marker's centre. Rule: R.A70"""

    fly_charges: bool = True
    """Whether units that FLY charge over other models. Rule: CORE.MOVE.10"""
    swarm_in_ruins: bool = False
    """Whether SWARM units go through the walls and floors of ruins. Rule: CORE.TER.6"""

    @property
    def off_markers(self) -> float:
        """Return how far from the centre of a marker deep strikers of the Horde stay.

        Rule: SPAWN.7, R.A70
        """
        return self.horde_reserves_objective + (0.0 if self.from_centre else self.marker_radius)

    def under(self, rulings: Mapping[str, str]) -> Parameters:
        """Return these parameters as the rulings of a battle set them."""
        said = {name: rulings[key].lower() == value for name, (key, value) in RULED.items() if key in rulings}
        return replace(self, **said) if said else self
