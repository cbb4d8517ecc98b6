"""Buttons: their words, their keys, and a bar of them with the yellow one last.

Draws, and tells where the buttons are; what they do is for those that show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from viewer.window.lettering import Lettering
from viewer.window.palette import mix

LEAST_SIDE = 36
"""The least side of a button, in pixels."""


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """What is written on a button, and the name under which it is clicked."""

    id: str
    words: str
    key: str = ""
    main: bool = False
    """Whether it is the yellow one."""
    icon: str = ""
    dim: bool = False
    """Whether it does nothing now."""


def face_width(lettering: Lettering, face: ButtonFace, *, keyed: bool = True, worded: bool = True) -> int:
    """Return how wide a button is, with or without its key and its words."""
    words = face.words if worded or not face.icon else ""
    wide = lettering.width(words, 14, True) + lettering.t(26)
    if face.key and keyed:
        wide += lettering.width(face.key, 11, True) + lettering.t(18)
    if face.icon:
        wide = wide + lettering.t(22) if words else max(lettering.t(36), LEAST_SIDE)
    return max(wide, LEAST_SIDE)


def draw_face(
    surface: pygame.Surface, box: pygame.Rect, lettering: Lettering, face: ButtonFace, *, over: bool
) -> None:
    """Draw a button in a box, lighter under the mouse."""
    palette = lettering.palette
    fill = palette.accent if face.main and not face.dim else palette.raised
    fill = mix(fill, palette.ink, 0.15) if over and not face.dim else fill
    pygame.draw.rect(surface, fill, box, border_radius=6)
    if not face.main or face.dim:
        pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
    ink = palette.faint if face.dim else palette.on_accent if face.main else palette.ink
    left = box.x + lettering.t(13)
    if face.icon:
        size = lettering.t(18)
        middle = (box.centerx if not face.words else left + size / 2, box.centery)
        lettering.glyphs.draw(surface, face.icon, middle, size, ink)
        left += size + lettering.t(4)
    cap = lettering.width(face.key, 11, True) + lettering.t(10) if face.key else 0
    room = box.right - left - lettering.t(8) - (cap + lettering.t(8) if face.key else 0)
    shown = lettering.fitted(face.words, 14, max(room, 1), True) if face.words else ""
    word = lettering.draw(surface, shown, (left, box.centery), 14, ink, bold=True, anchor="midleft")
    if face.key:
        edge = mix(palette.on_accent, fill, 0.4) if face.main and not face.dim else palette.edge
        frame = pygame.Rect(word.right + lettering.t(8), 0, cap, lettering.height(11, True) + lettering.t(4))
        frame.centery = box.centery
        pygame.draw.rect(surface, edge, frame, 1, border_radius=4)
        tone = palette.on_accent if face.main and not face.dim else palette.soft
        lettering.draw(surface, face.key, frame.center, 11, tone, bold=True, anchor="center")


def draw_button_bar(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, head: str, words: str,
    faces: Sequence[ButtonFace], mouse: tuple[int, int],
) -> list[tuple[pygame.Rect, str]]:  # fmt: skip
    """Draw a bar: a bold head and words at the left, buttons at the right; return the buttons."""
    palette = lettering.palette
    lettering.cover(rect)
    pygame.draw.rect(surface, palette.panel, rect)
    pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
    if rect.h < 24:
        return []
    gap, room = lettering.u(8), rect.w - 2 * lettering.u(12)
    for keyed, worded in ((True, True), (False, True), (False, False)):
        widths = [face_width(lettering, face, keyed=keyed, worded=worded) for face in faces]
        if sum(widths) + gap * len(widths) <= room:
            break
    share = max((room - gap * len(faces)) // max(len(faces), 1), 1)
    if sum(widths) + gap * len(widths) > room:
        widths = [min(width, share) for width in widths]
    x = rect.right - lettering.u(12) - sum(widths) - gap * (len(widths) - 1)
    left = rect.x + lettering.u(14)
    room_of_words = x - left - lettering.u(14)
    if lettering.width(head, 14, True) <= room_of_words:
        box = lettering.draw(
            surface, head, (left, rect.centery), 14, palette.ink, bold=True, anchor="midleft"
        )
        rest = room_of_words - box.w - lettering.t(8)
        if rest > lettering.t(80):
            shown = lettering.fitted(words, 13, rest)
            at = (box.right + lettering.t(8), rect.centery)
            lettering.draw(surface, shown, at, 13, palette.soft, anchor="midleft")
    found = []
    for face, width in zip(faces, widths, strict=True):
        box = pygame.Rect(x, 0, width, min(max(round(rect.h * 0.7), LEAST_SIDE), rect.h - 2))
        box.centery = rect.centery
        key = face.key if keyed else ""
        shown_words = face.words if worded or not face.icon else ""
        face = ButtonFace(face.id, shown_words, key, main=face.main, icon=face.icon, dim=face.dim)
        draw_face(surface, box, lettering, face, over=box.collidepoint(mouse))
        if not face.dim:
            found.append((box, face.id))
        x += width + gap
    return found
