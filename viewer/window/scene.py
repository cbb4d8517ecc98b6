"""The battlefield on the screen: ground, models, names, decisions, shots, and the mouse.

Puts the drawers of each together for one moment of a playback; it handles no input.
"""

from __future__ import annotations

import math

import pygame

from engine.core import event as ev
from engine.core.state import Model, State, Unit
from viewer.story.name import inches, model_name, objective_name, plain, seat_name, unit_name
from viewer.window.board import GroundSprite
from viewer.window.camera import Camera
from viewer.window.label import Plate, draw_plates, plate
from viewer.window.lettering import Lettering
from viewer.window.overlay import Overlay
from viewer.window.palette import side_colour
from viewer.window.playback import Effect, Playback
from viewer.window.token import Tokens

Pair = tuple[float, float]
MARKER = 20 / 25.4
"""The radius of an objective marker, in inches."""
BESIDE = 2.0
"""The greatest distance beside a base at which the mouse takes hold of it, in pixels."""


class Scene:
    """Draws the board's part of the window."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with nothing drawn."""
        self._lettering = lettering
        self._ground = GroundSprite(lettering)
        self._tokens = Tokens(lettering)
        self.names = True
        self.reasons = True

    def draw(self, surface: pygame.Surface, camera: Camera, playback: Playback, chosen: str) -> None:
        """Draw the moment that the playback shows; `chosen` is a unit's id or empty."""
        state = playback.state
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(camera.viewport))
        self._ground.draw(surface, camera, state)
        places = playback.places()
        self._draw_models(surface, camera, state, places, playback.effect, chosen)
        tags = self._draw_overlay(surface, camera, playback, chosen)
        if self.names:
            self._draw_names(surface, camera, state, places, chosen, tags)
        surface.set_clip(clip)

    def rooms(self, camera: Camera, playback: Playback) -> dict[str, list[pygame.Rect]]:
        """Return the room that each model on the table takes on the screen, by its unit."""
        state, places = playback.state, playback.places()
        return {unit.id: _bases(camera, state, unit, places) for unit in state.position.on_table()}

    def decision(self, playback: Playback, chosen: str) -> int | None:
        """Return the entry of the decision to be shown: the chosen unit's last, or the one going on."""
        if chosen:
            return playback.chronicle.decision_of(chosen, playback.cursor)
        return playback.decision

    def _draw_models(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        places: dict[int, Pair],
        effect: Effect | None,
        chosen: str,
    ) -> None:
        table = state.position.table
        models = [m for m in state.position.models if table.on[m.row]]
        models.sort(key=lambda m: (float(table.z[m.row]), -m.facts.base.length, m.row))
        arriving = effect is not None and isinstance(effect.entry, ev.Placed | ev.Arrived | ev.Disembarked)
        for model in models:
            new = arriving and effect is not None and _is_of(effect.entry, model)
            alpha = round(255 * effect.part) if new and effect is not None else 255
            mine = model.unit == chosen
            self._tokens.draw(
                surface, camera, state, model, at=places.get(model.row), chosen=mine, alpha=alpha
            )
        if effect is not None and isinstance(effect.entry, ev.Destroyed):
            dying = state.position.models[effect.entry.model]
            self._tokens.draw(surface, camera, state, dying, alpha=round(255 * (1 - effect.part)))

    def _draw_overlay(
        self, surface: pygame.Surface, camera: Camera, playback: Playback, chosen: str
    ) -> list[pygame.Rect]:
        """Draw decisions and attacks, and return where words were written."""
        effect = playback.effect
        decision = self.decision(playback, chosen) if self.reasons else None
        attacking = effect is not None and isinstance(effect.entry, ev.Targeted | ev.Attacked)
        if decision is None and not attacking:
            return []
        overlay = Overlay(surface, camera, self._lettering)
        if decision is not None:
            overlay.decision(playback, decision)
        if effect is not None and isinstance(effect.entry, ev.Targeted):
            overlay.shots(playback.state, effect.entry, effect.part)
        elif effect is not None and isinstance(effect.entry, ev.Attacked):
            overlay.attack(playback.state, effect.entry, effect.part)
        overlay.finish()
        return overlay.tags

    def _draw_names(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        places: dict[int, Pair],
        chosen: str,
        taken: list[pygame.Rect],
    ) -> None:
        seats = list(state.players)
        plates: list[Plate] = []
        bases: list[pygame.Rect] = []
        for unit in state.position.on_table():
            own = _bases(camera, state, unit, places)
            bases += own
            room = own[0].unionall(own[1:]) if own else None
            if room is not None and room.colliderect(camera.viewport):
                seat = seats.index(unit.player) if unit.player in seats else 0
                colour = side_colour(unit.side, seat)
                plates.append(plate(state, unit, room, colour, chosen=unit.id == chosen))
        size = 12 if camera.scale < 24 else 14
        draw_plates(surface, self._lettering, plates, size, pygame.Rect(camera.viewport), taken, bases)


def _is_of(entry: object, model: Model) -> bool:
    return isinstance(entry, ev.Placed | ev.Arrived | ev.Disembarked) and entry.unit == model.unit


def _bases(camera: Camera, state: State, unit: Unit, places: dict[int, Pair]) -> list[pygame.Rect]:
    """Return the room that each of a unit's models takes on the screen."""
    found = []
    for model in state.position.alive(unit):
        x, y = places.get(model.row) or map(float, state.position.table.xy[model.row])
        sx, sy = camera.to_screen(x, y)
        half = max(model.facts.base.length, model.facts.base.width) / 2 * camera.scale
        found.append(pygame.Rect(round(sx - half), round(sy - half), round(2 * half), round(2 * half)))
    return found


def model_at(camera: Camera, playback: Playback, at: Pair) -> Model | None:
    """Return the model whose base is under a pixel; between several, the one whose middle is closest."""
    x, y = camera.to_world(*at)
    position = playback.state.position
    rows = playback.index.models_near_point(x, y, BESIDE / camera.scale)
    row = min(rows, key=lambda row: math.dist(position.table.xy[row], (x, y)), default=None)
    return None if row is None else position.models[row]


def thing_at(camera: Camera, playback: Playback, at: Pair) -> str:
    """Return the id of the unit or objective marker under a pixel of the board, "" where there is none."""
    model = model_at(camera, playback, at)
    if model is not None:
        return model.unit
    there = camera.to_world(*at)
    near = (o for o in playback.state.position.objectives.values() if math.dist(o.at, there) <= MARKER)
    return next((o.facts.id for o in near), "")


def words_at(camera: Camera, playback: Playback, at: Pair) -> list[str]:
    """Return what is under a pixel of the board, in lines, the most particular first."""
    state, model = playback.state, model_at(camera, playback, at)
    x, y = camera.to_world(*at)
    if model is not None:
        return _model_words(state, model)
    for objective in state.position.objectives.values():
        if math.dist(objective.at, (x, y)) <= MARKER:
            holder = seat_name(state, objective.by) if objective.by else "nobody"
            name = objective_name(objective.facts.id)
            return [name[:1].upper() + name[1:], f"held by {holder}"]
    pieces = list(state.position.terrain.values())
    for piece in (pieces[place] for place in playback.index.terrain_at(x, y)):
        return [f"{piece.kind.capitalize()} {piece.id}", f"{inches(piece.height)} high"]
    return []


def _model_words(state: State, model: Model) -> list[str]:
    unit = state.position.units[model.unit]
    full = max(model.facts.characteristics.get("W", 1), 1)
    lines = [model_name(state, model.row), f"{model.wounds} of {full} wounds"]
    if len(unit.facts.models) > 1:
        size = f"{len(unit.rows)} of {len(unit.facts.models)} models"
        lines.append(f"{unit_name(state, unit.id)}: {size}")
    if "battle-shocked" in unit.marks:
        lines.append(plain("battle-shocked").capitalize())
    return lines
