"""The battlefield on the screen: ground, models, names, decisions, shots, and the mouse.

Puts the drawers of each together for one moment of a playback; it handles no input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pygame

from engine.core import event as ev
from engine.core.state import Model, State, Unit
from viewer.story.aftermath import Trail
from viewer.story.chronicle import Chronicle
from viewer.story.name import inches, model_name, objective_name, plain, seat_name, unit_name
from viewer.story.standing import badge, standing
from viewer.window.afterglow import Afterglow, draw_marks, draw_trails, trails_of_phase
from viewer.window.board import GroundSprite
from viewer.window.camera import Camera
from viewer.window.label import Plate, badge_look, draw_plates, plate
from viewer.window.lettering import Lettering, Written
from viewer.window.overlay import Overlay
from viewer.window.playback import Effect, Playback
from viewer.window.token import DIMMED, Tokens
from viewer.window.token_room import rooms_of
from viewer.window.unit_outline import Outlines

Pair = tuple[float, float]
MARKER = 20 / 25.4
"""The radius of an objective marker, in inches."""
QUIET = ("ready", "done")
"""The badges that stand on plates and in lists alone."""
BESIDE = 2.0
"""The greatest distance beside a base at which the mouse takes hold of it, in pixels."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The units that stand out: chosen, under the mouse, able to act now (None: not known)."""

    chosen: str = ""
    hovered: str = ""
    able: frozenset[str] | None = None
    acting: str = ""
    """The unit that acts just now."""
    told: str = ""
    """The unit whose last decision is drawn, else the one going on."""


@dataclass(frozen=True, slots=True)
class Told:
    """The marks of a whole turn: where units went, and a note on their plates."""

    trails: tuple[Trail, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    """By unit, what stands on its plate in the place of its number."""
    plates: tuple[tuple[str, str, Pair], ...] = ()
    """Words and the side of further plates, and where on the board they stand."""


@dataclass(frozen=True, slots=True)
class Still:
    """The board with its models while nothing moves: its battle, its moment, the words on it."""

    of: Chronicle | None = None
    key: tuple[object, ...] = ()
    picture: pygame.Surface = field(default_factory=lambda: pygame.Surface((1, 1)))
    written: list[Written] = field(default_factory=list)
    taken: list[pygame.Rect] = field(default_factory=list)


class Scene:
    """Draws the board's part of the window."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with nothing drawn."""
        self._lettering = lettering
        self._ground = GroundSprite(lettering)
        self._tokens = Tokens(lettering)
        self._outlines = Outlines()
        self._still = Still()
        self.names = True
        self.reasons = True
        self.glow = Afterglow()
        self.told = Told()
        self.words: list[pygame.Rect] = []
        """Where words stood on the board when it was drawn last."""
        self.counts: dict[str, tuple[str, str]] = {}
        """By what markers are held and by which side, in words."""
        self.under: Callable[[pygame.Surface, Camera], None] | None = None
        """Draws what lies under decisions, badges and plates."""

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        playback: Playback,
        marked: Marked | str = "",
        clear: Sequence[pygame.Rect] = (),
    ) -> None:
        """Draw the moment that the playback shows, with what stands out: a unit's id, or more.

        Names keep clear of the pixels `clear`, where other words will stand.
        """
        marked = Marked(marked, told=marked) if isinstance(marked, str) else marked
        state = playback.state
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(camera.viewport).clip(clip))
        places = playback.places()
        key = (camera.key(), playback.cursor, marked.able, marked.acting, *self._lettering.stamp)
        key = (*key, self.told, tuple(self.counts.items()))
        if playback.effect is not None or places or self.glow.falls:
            taken = self._draw_standing(surface, camera, playback, places, marked)
        elif self._still.of is playback.chronicle and self._still.key == key:
            surface.blit(self._still.picture, camera.viewport[:2])
            self._lettering.written += self._still.written
            taken = list(self._still.taken)
        else:
            before = len(self._lettering.written)
            taken = self._draw_standing(surface, camera, playback, places, marked)
            picture = surface.subsurface(surface.get_clip()).copy()
            written = self._lettering.written[before:]
            self._still = Still(playback.chronicle, key, picture, written, list(taken))
        for unit in dict.fromkeys((marked.chosen, marked.hovered)):
            if unit in state.position.units:
                self._draw_outline(surface, camera, state, state.position.units[unit], places, marked)
        if self.under is not None:
            self.under(surface, camera)
        taken += clear
        taken += self._draw_overlay(surface, camera, playback, marked.told, taken)
        self.words = taken + self._draw_names(surface, camera, state, places, marked, taken)
        surface.set_clip(clip)

    def _draw_standing(
        self,
        surface: pygame.Surface,
        camera: Camera,
        playback: Playback,
        places: dict[int, Pair],
        marked: Marked,
    ) -> list[pygame.Rect]:
        """Draw ground, words on it, outlines and models, and return where words stand."""
        state = playback.state
        self._ground.draw(surface, camera, state)
        bases = [box for unit in state.position.on_table() for box in _bases(camera, state, unit, places)]
        taken = self._ground.label(surface, camera, state, bases, self.counts)
        self._draw_aftermath(surface, camera, playback)
        for unit in state.position.on_table():
            self._draw_outline(surface, camera, state, unit, places, Marked())
        return taken + self._draw_models(surface, camera, state, places, playback.effect, marked)

    def _draw_aftermath(self, surface: pygame.Surface, camera: Camera, playback: Playback) -> None:
        """Draw where units went and where models fell; those that fade are seen a while."""
        state, fading = playback.state, self.glow.fading
        draw_trails(surface, camera, self._lettering, state, self.told.trails or trails_of_phase(playback))
        falls = playback.chronicle.fallen.at(playback.cursor)
        draw_marks(surface, camera, self._lettering, state, falls, fading)
        for fall in falls:
            if fall.row in fading:
                model = state.position.models[fall.row]
                self._tokens.draw(surface, camera, state, model, at=fall.at, alpha=fading[fall.row])

    def rooms(self, camera: Camera, playback: Playback) -> dict[str, list[pygame.Rect]]:
        """Return the room that each model on the table takes on the screen, by its unit."""
        state, places = playback.state, playback.places()
        return {unit.id: _bases(camera, state, unit, places) for unit in state.position.on_table()}

    def decision(self, playback: Playback, chosen: str) -> int | None:
        """Return the entry of the decision to be shown: the chosen unit's last, or the one going on."""
        if chosen:
            return playback.chronicle.decision_of(chosen, playback.cursor)
        return playback.decision

    def _draw_outline(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        unit: Unit,
        places: dict[int, Pair],
        marked: Marked,
    ) -> None:
        """Draw the line round a unit on the table: broad where it stands out."""
        if unit.where != "table" or not unit.rows:
            return
        palette, table, seats = self._lettering.palette, state.position.table, list(state.players)
        bases = []
        for row in unit.rows:
            x, y = places.get(row) or (float(table.xy[row, 0]), float(table.xy[row, 1]))
            bases.append((state.position.models[row].facts.base, x, y, float(table.facing[row])))
        seat = seats.index(unit.player) if unit.player in seats else 0
        colour, width, fill = palette.side(unit.side, seat), 1.6, 26
        shocked = "battle-shocked" in unit.marks
        if unit.id == marked.hovered:
            colour, width, fill = (255, 255, 255), 3.0, 0
        elif unit.id == marked.chosen:
            colour, width, fill = palette.accent, 2.4, 0
        elif shocked:
            colour, width = palette.shock, 2.4
        elif len(unit.rows) == 1:
            return
        width *= self._lettering.sizes.ui
        self._outlines.draw(surface, camera, bases, colour, width, dashed=shocked, fill=fill)

    def _draw_models(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        places: dict[int, Pair],
        effect: Effect | None,
        marked: Marked,
    ) -> list[pygame.Rect]:
        """Draw the models, the largest first, and return where their wounds are written."""
        numbers: list[pygame.Rect | None] = []
        table = state.position.table
        models = [m for m in state.position.models if table.on[m.row]]
        models.sort(key=lambda m: (float(table.z[m.row]), -m.facts.base.length, m.row))
        arriving = effect is not None and isinstance(effect.entry, ev.Placed | ev.Arrived | ev.Disembarked)
        for model in models:
            new = arriving and effect is not None and _is_of(effect.entry, model)
            alpha = round(255 * effect.part) if new and effect is not None else 255
            unit = state.position.units[model.unit]
            if alpha == 255:
                alpha = DIMMED if standing(state, unit, marked.able, marked.acting) == "done" else alpha
            at = places.get(model.row)
            numbers.append(self._tokens.draw(surface, camera, state, model, at=at, alpha=alpha))
        return [each for each in numbers if each is not None]

    def _draw_overlay(
        self,
        surface: pygame.Surface,
        camera: Camera,
        playback: Playback,
        chosen: str,
        taken: list[pygame.Rect],
    ) -> list[pygame.Rect]:
        """Draw decisions and attacks, and return where words were written, nowhere where some are."""
        effect = playback.effect
        decision = self.decision(playback, chosen) if self.reasons else None
        attacking = effect is not None and isinstance(effect.entry, ev.Targeted | ev.Attacked)
        if decision is None and not attacking:
            return []
        overlay = Overlay(surface, camera, self._lettering)
        overlay.avoid(taken)
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
        marked: Marked,
        taken: list[pygame.Rect],
    ) -> list[pygame.Rect]:
        """Draw badges at units' leading models, and name plates where there is room; return these."""
        plates: list[Plate] = []
        bases: list[pygame.Rect] = []
        for unit in state.position.on_table():
            own = _bases(camera, state, unit, places)
            bases += own
            room = own[0].unionall(own[1:]) if own else None
            if room is None or not room.colliderect(camera.viewport):
                continue
            sign = badge(unit, standing(state, unit, marked.able, marked.acting))
            is_marked = unit.id in (marked.chosen, marked.hovered)
            if sign and sign not in QUIET:
                self._draw_badge(surface, own[0], sign)
            if self.names or is_marked:
                made = plate(state, unit, room, self._lettering, sign, marked=is_marked)
                note = dict(self.told.notes).get(unit.id)
                plates.append(made if note is None else replace(made, note=note, badge=""))
        plates += self._told_plates(camera)
        return draw_plates(surface, self._lettering, plates, pygame.Rect(camera.viewport), taken, bases)

    def _told_plates(self, camera: Camera) -> list[Plate]:
        """Return the plates that tell of things without a unit on the table."""
        palette, found = self._lettering.palette, []
        for words, side, at in self.told.plates:
            x, y = camera.to_screen(*at)
            room = pygame.Rect(round(x) - 8, round(y) - 8, 16, 16)
            found.append(Plate(words, "", palette.holder(side), palette.side_text(side), room))
        return found

    def _draw_badge(self, surface: pygame.Surface, base: pygame.Rect, sign: str) -> None:
        """Draw a badge at the upper right of a base."""
        palette, size = self._lettering.palette, self._lettering.u(18)
        far = base.w / 2 * 0.72 + size * 0.3
        middle = (base.centerx + far, base.centery - far)
        name, colour = badge_look(sign, self._lettering)
        pygame.draw.circle(surface, palette.background, middle, size / 2)
        pygame.draw.aacircle(surface, colour, middle, size // 2, max(self._lettering.u(1.5), 1))
        self._lettering.glyphs.draw(surface, name, middle, round(size * 0.62), colour)


def _is_of(entry: object, model: Model) -> bool:
    return isinstance(entry, ev.Placed | ev.Arrived | ev.Disembarked) and entry.unit == model.unit


def _bases(camera: Camera, state: State, unit: Unit, places: dict[int, Pair]) -> list[pygame.Rect]:
    """Return the room that each of a unit's models takes on the screen."""
    xy = state.position.table.xy
    rows = [model.row for model in state.position.alive(unit)]
    return rooms_of(camera, state, {row: places.get(row) or xy[row].tolist() for row in rows})


def model_at(camera: Camera, playback: Playback, at: Pair) -> Model | None:
    """Return the model whose base is under a pixel.

    Of several, it is the one whose middle is closest to the pixel.
    """
    x, y = camera.to_world(*at)
    position = playback.state.position
    rows = playback.index.models_near_point(x, y, BESIDE / camera.scale)
    row = min(rows, key=lambda row: math.dist(position.table.xy[row], (x, y)), default=None)
    return None if row is None else position.models[row]


def thing_at(camera: Camera, playback: Playback, at: Pair) -> str:
    """Return the id of the unit or objective marker under a pixel of the board.

    It is "" where there is neither.
    """
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
