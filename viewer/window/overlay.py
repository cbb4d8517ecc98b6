"""The drawings over the board: decisions with targets, paths and candidates, and shots.

Draws only what the log says; it works out nothing by the rules.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from ai.reasons.condition import FARTHER
from engine.core import event as ev
from engine.core.request import Candidate
from engine.core.state import State
from viewer.story.motion import polyline
from viewer.story.name import inches, plain
from viewer.story.source import Reason
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix
from viewer.window.playback import Playback

Pair = tuple[float, float]

SHOWN = 12
"""At most this many of a decision's candidates are drawn."""


class Overlay:
    """Draws over the board, within the camera's viewport."""

    def __init__(self, surface: pygame.Surface, camera: Camera, lettering: Lettering) -> None:
        """Draw on this surface through this camera."""
        self._surface = surface
        self._camera = camera
        self._lettering = lettering
        self._sheet = pygame.Surface(camera.viewport[2:], pygame.SRCALPHA)
        self._palette = lettering.palette
        self._taken: list[pygame.Rect] = []
        self._tags: list[pygame.Rect] = []
        self._words: list[tuple[str, pygame.Rect, Colour]] = []
        self._local = Camera((0, 0, *camera.viewport[2:]), camera.centre, camera.scale)

    @property
    def tags(self) -> list[pygame.Rect]:
        """Return where distances and reasons were written, on the screen."""
        return [tag.move(self._camera.viewport[:2]) for tag in self._tags]

    def avoid(self, taken: list[pygame.Rect]) -> None:
        """Write over none of these parts of the screen."""
        left, top = self._camera.viewport[:2]
        self._taken = [each.move(-left, -top) for each in taken]

    def finish(self) -> None:
        """Lay what was drawn over the board."""
        self._surface.blit(self._sheet, self._camera.viewport[:2])
        for words, box, colour in self._words:
            spot = box.move(self._camera.viewport[:2]).center
            size = self._lettering.on_board(11)
            self._lettering.draw(self._surface, words, spot, size, colour, bold=True, anchor="center")

    def decision(self, playback: Playback, index: int) -> None:
        """Draw a decision: lines to its target and candidates, and what its unit then did."""
        reason = playback.chronicle.entries[index]
        assert isinstance(reason, Reason)
        state = playback.state
        done = playback.chronicle.consequence(index, playback.cursor)
        event = playback.chronicle.entries[done] if done is not None else None
        start = unit_middle(state, reason.unit)
        if isinstance(event, ev.Moved) and done is not None:
            starts = playback.chronicle.starts[done]
            self._paths(event, starts)
            if starts:
                start = _mean(list(starts.values()))
        elif isinstance(event, ev.Targeted):
            self.shots(state, event, 0.55)
        self._lines(reason)
        self._candidates(state, reason, start)
        for target in dict.fromkeys(because.target for because in reason.because):
            there = thing_middle(state, target, start)
            if there is not None and start is not None:
                self._arrow(start, there)

    def shots(self, state: State, event: ev.Targeted, part: float) -> None:
        """Draw lines from attackers to targets; `part` is the share of their time that has run."""
        unit = state.position.units.get(event.unit)
        colour = self._palette.side_text(unit.side if unit else "players")
        for model, target in dict.fromkeys((shot.model, shot.target) for shot in event.shots):
            self._shot(state, model, target, colour, part)

    def attack(self, state: State, event: ev.Attacked, part: float) -> None:
        """Draw bolts that fly from the attackers to their target."""
        unit = state.position.units.get(event.unit)
        colour = self._palette.side_text(unit.side if unit else "players")
        for i, model in enumerate(event.models):
            self._bolt(state, model, event.target, colour, min(max(part * 1.5 - i * 0.04, 0.0), 1.0))

    def _shot(self, state: State, model: int, target: str, colour: Colour, part: float) -> None:
        ends = self._line_of_fire(state, model, target)
        if ends is not None:
            alpha = round(40 + 150 * (1 - abs(2 * part - 1)))
            pygame.draw.line(self._sheet, (*colour, alpha), *ends, 2)

    def _bolt(self, state: State, model: int, target: str, colour: Colour, part: float) -> None:
        ends = self._line_of_fire(state, model, target)
        if ends is None or part >= 1.0:
            return
        (ax, ay), (bx, by) = ends
        tail = max(part - 0.25, 0.0)
        head = (ax + (bx - ax) * part, ay + (by - ay) * part)
        foot = (ax + (bx - ax) * tail, ay + (by - ay) * tail)
        pygame.draw.line(self._sheet, (*colour, 60), (ax, ay), head, 1)
        pygame.draw.line(self._sheet, (*mix(colour, (255, 255, 255), 0.35), 240), foot, head, 3)

    def _line_of_fire(self, state: State, model: int, target: str) -> tuple[Pair, Pair] | None:
        """Return a line on the screen from a model to the closest model of a unit."""
        if not 0 <= model < len(state.position.models):
            return None
        start = place(state, model)
        unit = state.position.units.get(target)
        rows = unit.rows or tuple(m.row for m in unit.facts.models) if unit else ()
        ends = [place(state, row) for row in rows]
        if not ends:
            return None
        end = min(ends, key=lambda p: math.dist(p, start))
        return self._local.to_screen(*start), self._local.to_screen(*end)

    def _paths(self, event: ev.Moved, starts: dict[int, Pair]) -> None:
        for row, start in starts.items():
            legs = event.paths.get(row, ())
            if not legs:
                continue
            points = [self._local.to_screen(*p) for p in polyline(start, legs)]
            pygame.draw.aacircle(
                self._sheet, (*self._palette.accent, 110), points[0], max(self._local.scale * 0.25, 2), 1
            )
            for a, b in pairwise(points):
                pygame.draw.aaline(self._sheet, (*self._palette.accent, 190), a, b, 2)

    def _lines(self, reason: Reason) -> None:
        """Draw the clear lines of sight that the decision rests on."""
        for a, b in dict.fromkeys(line for because in reason.because for line in because.lines):
            head, foot = self._local.to_screen(*a), self._local.to_screen(*b)
            pygame.draw.aaline(self._sheet, (*self._palette.good, 170), head, foot)

    def _candidates(self, state: State, reason: Reason, start: Pair | None) -> None:
        """Draw what was considered: its number in the order, its distance, and what it failed."""
        for number, candidate in enumerate(considered(reason, state)[:SHOWN], start=1):
            there = thing_middle(state, candidate.id, start)
            if there is None:
                continue
            if candidate.failed and start is not None:
                self._dashed(start, there, self._palette.loss, 60)
            self._tag(
                _tag_words(number, candidate),
                there,
                self._palette.loss if candidate.failed else self._palette.good,
                _foot(state, candidate.id, there[1]),
            )

    def _arrow(self, a: Pair, b: Pair) -> None:
        (ax, ay), (bx, by) = self._local.to_screen(*a), self._local.to_screen(*b)
        far = math.hypot(bx - ax, by - ay)
        if far < 4:
            return
        ux, uy = (bx - ax) / far, (by - ay) / far
        pygame.draw.aaline(self._sheet, (*self._palette.accent, 235), (ax, ay), (bx - ux * 8, by - uy * 8), 3)
        wings = [
            (bx, by),
            (bx - ux * 14 - uy * 7, by - uy * 14 + ux * 7),
            (bx - ux * 14 + uy * 7, by - uy * 14 - ux * 7),
        ]
        pygame.draw.polygon(self._sheet, (*self._palette.accent, 255), wings)

    def _dashed(self, a: Pair, b: Pair, colour: Colour, alpha: int) -> None:
        (ax, ay), (bx, by) = self._local.to_screen(*a), self._local.to_screen(*b)
        parts = max(min(int(math.hypot(bx - ax, by - ay) / 7), 300), 1)
        for i in range(0, parts, 2):
            s, t = i / parts, (i + 1) / parts
            head = (ax + (bx - ax) * s, ay + (by - ay) * s)
            foot = (ax + (bx - ax) * t, ay + (by - ay) * t)
            pygame.draw.aaline(self._sheet, (*colour, alpha), head, foot)

    def _tag(self, words: str, at: Pair, colour: Colour, foot: float) -> None:
        """Write a tag under a thing whose lowest point is at `foot`."""
        x, y = self._local.to_screen(at[0], foot)
        size = self._lettering.on_board(11)
        box = pygame.Rect(0, 0, self._lettering.width(words, size, True), self._lettering.height(size))
        box.center = (round(x), round(y + 14))
        box = box.inflate(8, 4)
        while box.collidelist(self._tags) >= 0 or box.collidelist(self._taken) >= 0:
            box.y += box.h + 2
        if not self._sheet.get_rect().contains(box):
            return
        self._tags.append(box)
        pygame.draw.rect(self._sheet, (*self._palette.background, 225), box, border_radius=4)
        pygame.draw.rect(self._sheet, (*colour, 170), box, 1, border_radius=4)
        self._words.append((words, box, colour))


def considered(reason: Reason, state: State) -> list[Candidate]:
    """Return the candidates of a decision that stand on the board, in order.

    What was chosen by one model or weapon is not rejected by another.
    """
    found: dict[str, Candidate] = {}
    for because in (*reason.because, *reason.passed):
        for candidate in because.candidates:
            known = found.get(candidate.id)
            if known is None or (known.failed and not candidate.failed):
                found[candidate.id] = candidate
    here = {*state.position.units, *state.position.objectives, "defender-edge", "horde-edge"} - {reason.unit}
    return sorted((c for c in found.values() if c.id in here), key=lambda c: bool(c.failed))


def _foot(state: State, id_: str, at: float) -> float:
    """Return the lowest y of a thing's models; of anything else a little below its middle."""
    unit = state.position.units.get(id_)
    if unit is None or not unit.rows:
        return at - 1.0
    facts = [state.position.models[row].facts.base for row in unit.rows]
    lows = [place(state, row)[1] for row in unit.rows]
    return min(y - max(base.length, base.width) / 2 for y, base in zip(lows, facts, strict=True))


def _tag_words(number: int, candidate: Candidate) -> str:
    """Return a candidate's number, its distance and what it failed, as short as may be."""
    far = "" if candidate.distance is None else f" · {inches(candidate.distance)}"
    failed = "" if candidate.failed in ("", FARTHER) else f" · {plain(candidate.failed)}"
    return f"{number}{far}{failed}"


def place(state: State, row: int) -> Pair:
    """Return where a model stands, or stood last."""
    return float(state.position.table.xy[row, 0]), float(state.position.table.xy[row, 1])


def unit_middle(state: State, id_: str) -> Pair | None:
    """Return the middle of a unit's models, destroyed ones if none is left; None if none stood."""
    unit = state.position.units.get(id_)
    if unit is None:
        return None
    rows = unit.rows or tuple(m.row for m in unit.facts.models)
    return _mean([place(state, row) for row in rows]) if rows else None


def thing_middle(state: State, id_: str, near: Pair | None) -> Pair | None:
    """Return the middle of a unit, marker or terrain piece, or the closest point of an edge."""
    kind, _, rest = id_.partition(":")
    name = rest if rest and kind in ("unit", "objective", "marker", "terrain") else id_
    if name in state.position.units:
        return unit_middle(state, name)
    if name in state.position.objectives:
        return state.position.objectives[name].at
    if name in state.position.markers:
        return state.position.markers[name].at
    if name in state.position.terrain:
        return _mean(list(state.position.terrain[name].footprint))
    edge = {
        "defender-edge": state.position.board.defender_edge,
        "horde-edge": state.position.board.horde_edge,
    }.get(name)
    if edge is None or near is None:
        return None
    return _closest(near, *edge)


def _closest(p: Pair, a: Pair, b: Pair) -> Pair:
    dx, dy = b[0] - a[0], b[1] - a[1]
    far = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / far if far else 0.0
    t = min(max(t, 0.0), 1.0)
    return a[0] + dx * t, a[1] + dy * t


def _mean(points: list[Pair]) -> Pair:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
