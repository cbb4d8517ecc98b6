"""How the autopilot serves a secret objective: its choice, where to go, what to save or buy.

Owns the ways to complete the secrets that positions or supply points decide. It reads no other seat's secret.
"""

from __future__ import annotations

import numpy as np

from engine.core.facts import Point
from engine.core.request import Because, Choose, Chosen
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.measure.region import base_touches, base_within
from geometry.portable import mean_point, norms, span
from geometry.shape.base import Floats
from geometry.shape.cached import cached_property

EASIEST = (
    "a-noble-sacrifice",
    "action-hero",
    "majority-rules",
    "team-player",
    "saboteur",
    "rear-extraction",
    "cleanse-sacred-ground",
    "kill-confirmed",
    "lancelot",
    "hold-the-line",
    "forward-extraction",
    "adornable",
    "show-off",
    "take-research-subjects",
    "hand-of-fate",
    "master-sculptor",
)
"""Secret objectives by how likely a player is to complete them."""
AT_ONCE = ("a-noble-sacrifice", "action-hero", "kill-confirmed", "lancelot", "take-research-subjects")
"""The secret objectives that are completed as soon as they are done."""
WORTH = 150.0
"""What a move that completes the secret is worth, in points."""
NEARER = 1.5
"""What each inch nearer to the secret's goal is worth, in points, once its time has come."""
FORTIFYING = ("forward-operating-base", "experimental-defenses", "shovel-stash", "field-hospital")
SHOWN_OFF = 12


def keep(request: Choose) -> Chosen:
    """Return the secret objective that is easiest to complete."""

    def ease(name: str) -> tuple[int, int]:
        place = next((i for i, easy in enumerate(EASIEST) if name.endswith(easy)), len(EASIEST))
        return place, [option.id for option in request.options].index(name)

    best = min((option.id for option in request.options), key=ease)
    because = Because(clause="SETUP.8", reason="Of the secret objectives it is the easiest to complete.")
    return Chosen(ids=(best,), because=(because,))


def wanted(view: View) -> tuple[str, ...]:
    """Return the secrets of this seat that are not completed, by the end of their names."""
    player = view.players.get(view.seat)
    if player is None:
        return ()
    hidden = [card for card in player.secrets if card not in player.completed]
    return tuple(card.rsplit("/", 1)[-1].partition("-")[2] for card in hidden)


def needs_survivor(view: View) -> bool:
    """Return whether a secret is judged at the battle's end, when the player must be alive."""
    return any(name not in AT_ONCE for name in wanted(view))


def may_spend(view: View, price_left: int) -> bool:
    """Return whether the seat need not save its supply points for a secret."""
    return "show-off" not in wanted(view) or view.round <= 2 or price_left >= SHOWN_OFF


def purchases_first(view: View) -> tuple[str, ...]:
    """Return the purchases that a secret asks for."""
    if "adornable" in wanted(view):
        return FORTIFYING
    return ("air-strike",) if "master-sculptor" in wanted(view) else ()


def errand_points(view: View) -> tuple[Point, ...]:
    """Return where a unit from reserves would serve the secret."""
    if "a-noble-sacrifice" not in wanted(view):
        return ()
    return tuple(marker.at for marker in view.objectives.values() if marker.facts.zone == "horde")


class Errand:
    """What one unit may do for its seat's secret by a move."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Look up what the secret asks for now."""
        self.view = view
        self.unit = unit
        last = view.rounds is not None and view.round >= view.rounds - 1
        names = wanted(view) if view.seat == unit.player else ()
        self.forward = "forward-extraction" in names and last and self._is_closest("spawn")
        self.marker = "a-noble-sacrifice" in names and view.round >= 2
        self.home = "rear-extraction" in names and last

    def _is_closest(self, kind: str) -> bool:
        """Return whether no friend is closer to a zone of this kind."""
        points = [np.array(p) for p in self._points(kind)]
        if not points:
            return False

        def far(unit: Unit) -> tuple[float, str]:
            at = mean_point(self.view.xy(unit))
            return min(span(at, p) for p in points), unit.id

        own = [u for u in self.view.units("players") if u.player == self.unit.player]
        return min(own, key=far).id == self.unit.id

    def _points(self, kind: str) -> list[Point]:
        zones = [zone for zone in self.view.zones.values() if zone.kind == kind]
        return [(float(x), float(y)) for x, y in (mean_point(np.array(z.polygon)) for z in zones)]

    def _horde_markers(self) -> list[Point]:
        return [m.at for m in self.view.objectives.values() if m.facts.zone == "horde"]

    @cached_property
    def goals(self) -> tuple[tuple[Point, str], ...]:
        """Return the points to which the secret sends the unit, each with its name."""
        here = mean_point(self.view.xy(self.unit))
        options: list[tuple[list[Point], str]] = []
        if self.forward:
            options.append((self._points("spawn"), "a spawning zone"))
        if self.marker:
            options.append((self._horde_markers(), "the Horde's marker"))
        if self.home:
            options.append((self._points("defender"), "its own zone"))

        def far(point: Point) -> tuple[float, Point]:
            return span(here, point), point

        return tuple((min(points, key=far), name) for points, name in options if points)

    def value(self, ends: Floats) -> float:
        """Return what these places are worth for the secret."""
        done = (self.forward and self._in_spawn_zone(ends)) or (self.marker and self._on_marker(ends))
        done = done or (self.home and self._at_home(ends))
        if done:
            return WORTH
        apart = [float(norms(ends - np.array(at)).min()) for at, _ in self.goals]
        return -NEARER * min(apart, default=0.0)

    def _in_spawn_zone(self, ends: Floats) -> bool:
        bases = self.view.bases(self.unit, ends)
        return any(bool(base_within(zone, bases).all()) for zone in self.view.field.spawn_zones())

    def _at_home(self, ends: Floats) -> bool:
        bases = self.view.bases(self.unit, ends)
        zones = [zone.polygon for zone in self.view.zones.values() if zone.kind == "defender"]
        return any(bool(base_touches(zone, bases).any()) for zone in zones)

    def _on_marker(self, ends: Floats) -> bool:
        reach = self.view.parameters.objective_range + self.view.parameters.marker_radius
        markers = self._horde_markers()
        apart = self.view.bases(self.unit, ends).distances(np.array(markers)) if markers else np.empty(0)
        return bool(within(apart, reach).any())
