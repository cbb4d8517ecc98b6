"""The look of widgets, as pygame_gui reads it: our palette and the sizes of our words.

Owns colours, shapes and fonts of buttons, lists, entries, sliders and dialogs; where they stand is for those
that make them.
"""

from __future__ import annotations

from typing import Any

from viewer.window.lettering import FONT_FILES, FONT_FOLDER, Lettering
from viewer.window.palette import Colour, Palette, mix

FONT = "inter"
"""The name by which widgets, and the marks of their texts, ask for our font."""
BODY, SMALL, CAPTION, HEADING, TITLE, NAME = 14, 12, 11, 16, 28, 46
"""The sizes of words in widgets, as of all others."""
RADIUS = 6
Theme = dict[str, dict[str, Any]]


def theme(lettering: Lettering) -> Theme:
    """Return the theme of widgets for a palette and the sizes of words."""
    return {
        "defaults": {"colours": _colours(lettering.palette)},
        **_blocks(lettering),
        **_bars(lettering),
        **_labels(lettering),
        **_classes(lettering),
    }


def hexed(colour: Colour) -> str:
    """Return a colour as themes and the marks of texts write it."""
    return "#{:02X}{:02X}{:02X}".format(*colour)


def _colours(palette: Palette) -> dict[str, str]:
    """Return the colours that hold for all widgets."""
    own = palette.players[0]
    found = {
        "dark_bg": palette.panel,
        "normal_bg": palette.raised,
        "hovered_bg": palette.hover,
        "selected_bg": own,
        "active_bg": mix(palette.hover, palette.ink, 0.1),
        "disabled_bg": palette.panel,
        "disabled_dark_bg": palette.panel,
        "normal_text": palette.ink,
        "hovered_text": palette.ink,
        "selected_text": palette.background,
        "active_text": palette.ink,
        "disabled_text": palette.faint,
        "normal_border": palette.line,
        "hovered_border": palette.edge,
        "selected_border": own,
        "active_border": palette.accent,
        "disabled_border": palette.line,
        "link_text": palette.players_text,
        "link_hover": palette.ink,
        "link_selected": palette.accent,
        "filled_bar": palette.accent,
        "unfilled_bar": palette.line,
        "text_cursor": palette.accent,
    }
    return {name: hexed(colour) for name, colour in found.items()}


def _font(lettering: Lettering, size: float, *, bold: bool = False) -> dict[str, Any]:
    """Return one of our fonts as a theme says it."""
    regular, heavy = ({"package": FONT_FOLDER, "resource": FONT_FILES[weight]} for weight in (False, True))
    return {
        "name": FONT,
        "size": str(lettering.pixels(size)),
        "bold": "1" if bold else "0",
        "regular_resource": regular,
        "bold_resource": heavy,
        "italic_resource": regular,
        "bold_italic_resource": heavy,
    }


def _shape(radius: int = RADIUS, border: int = 1, **more: object) -> dict[str, str]:
    return {
        "shape": "rounded_rectangle",
        "shape_corner_radius": str(radius),
        "border_width": str(border),
        "shadow_width": "0",
        "tool_tip_delay": "0.35",
        **{name: str(value) for name, value in more.items()},
    }


def _left(lettering: Lettering) -> dict[str, Any]:
    return {"text_horiz_alignment": "left", "text_horiz_alignment_padding": str(lettering.t(12))}


def _blocks(lettering: Lettering) -> Theme:
    """Return the blocks of buttons, entries, lists and windows."""
    palette, body = lettering.palette, _font(lettering, BODY)
    dark = {"normal_bg": hexed(palette.background), "dark_bg": hexed(palette.background)}
    row = round(lettering.leading(BODY) + lettering.t(12))
    item = {"font": body, "misc": _shape(4, 0, **_left(lettering))}
    window = {"dark_bg": hexed(palette.panel), "normal_border": hexed(palette.edge)}
    return {
        "button": {"font": _font(lettering, BODY, bold=True), "misc": _shape()},
        "drop_down_menu": {
            "font": body,
            "colours": dark,
            "misc": _shape(open_button_width=lettering.t(32), item_height=row),
        },
        "drop_down_menu.button": {"font": body, "colours": dark, "misc": _shape(**_left(lettering))},
        "drop_down_menu.#expand_button": {"font": body, "misc": _shape(text_horiz_alignment="center")},
        "drop_down_menu.selection_list": {"font": body, "misc": _shape(list_item_height=row)},
        "drop_down_menu.selection_list.button": item,
        "selection_list": {"font": body, "colours": dark, "misc": _shape(list_item_height=row)},
        "selection_list.button": {**item, "colours": dark},
        "text_entry_line": {"font": body, "colours": dark, "misc": _shape(padding=f"{lettering.t(10)},4")},
        "text_entry_box": {"font": body, "colours": dark, "misc": _shape(padding="10,8")},
        "text_box": {"font": body, "misc": _shape(padding="10,8")},
        "check_box": {"font": body, "misc": _shape()},
        "panel": {"font": body, "misc": _shape()},
        "progress_bar": {"font": body, "misc": _shape()},
        "tab_container": {"font": body, "misc": _shape()},
        "window": {
            "font": body,
            "colours": window,
            "misc": _shape(enable_title_bar=1, title_bar_height=lettering.t(36)),
        },
        "window.button": {"font": body, "misc": _shape()},
        "confirmation_dialog": {"font": body, "colours": window, "misc": _shape()},
        "file_dialog": {"font": body, "colours": window, "misc": _shape()},
        "tool_tip": {
            "font": _font(lettering, SMALL),
            "colours": {"dark_bg": hexed(palette.background), "normal_border": hexed(palette.edge)},
            "misc": {**_shape(), "rect_width": str(lettering.t(340))},
        },
        "tool_tip.text_box": {"font": _font(lettering, SMALL), "misc": _shape(padding="8,6")},
    }


def _bars(lettering: Lettering) -> Theme:
    """Return the blocks of sliders and of the bars that scroll."""
    palette = lettering.palette
    knob = {
        "normal_bg": hexed(palette.edge),
        "hovered_bg": hexed(palette.soft),
        "active_bg": hexed(palette.accent),
    }
    bar = {"misc": _shape(4, 0, enable_arrow_buttons=0), "colours": {"dark_bg": hexed(palette.panel)}}
    slider = {
        "normal_bg": hexed(palette.accent),
        "hovered_bg": hexed(mix(palette.accent, palette.ink, 0.3)),
        "active_bg": hexed(palette.accent),
    }
    return {
        "horizontal_slider": {
            "misc": _shape(enable_arrow_buttons=0, sliding_button_width=lettering.t(18)),
            "colours": {"dark_bg": hexed(palette.background)},
        },
        "horizontal_slider.#sliding_button": {"colours": slider, "misc": _shape()},
        "vertical_scroll_bar": bar,
        "vertical_scroll_bar.#sliding_button": {"colours": knob, "misc": _shape(4, 0)},
        "horizontal_scroll_bar": bar,
        "horizontal_scroll_bar.#sliding_button": {"colours": knob, "misc": _shape(4, 0)},
    }


def _labels(lettering: Lettering) -> Theme:
    """Return the blocks of words that stand by themselves, by their class."""
    palette = lettering.palette
    left = {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "0"}

    def words(size: float, colour: Colour, *, bold: bool = False) -> dict[str, Any]:
        return {
            "font": _font(lettering, size, bold=bold),
            "colours": {"normal_text": hexed(colour), "dark_bg": "#00000000"},
            "misc": left,
        }

    return {
        "label": words(BODY, palette.ink),
        "@caption": words(CAPTION, palette.faint, bold=True),
        "@soft": words(SMALL, palette.soft),
        "@heading": words(HEADING, palette.ink, bold=True),
        "@title": words(TITLE, palette.ink, bold=True),
        "@name": words(NAME, palette.ink, bold=True),
        "@good": words(BODY, palette.good, bold=True),
        "@fault": words(BODY, palette.loss, bold=True),
    }


def _classes(lettering: Lettering) -> Theme:
    """Return the blocks of kinds of button, by their class."""
    palette, bold = lettering.palette, _font(lettering, BODY, bold=True)
    lit = hexed(mix(palette.accent, palette.ink, 0.35))
    main = {
        **dict.fromkeys(("normal_bg", "active_bg", "normal_border", "hovered_border"), hexed(palette.accent)),
        "hovered_bg": lit,
        **dict.fromkeys(("normal_text", "hovered_text", "active_text"), hexed(palette.on_accent)),
    }
    segment = {"normal_bg": hexed(palette.background), "normal_text": hexed(palette.soft)}
    plain = {"normal_bg": hexed(palette.background), "normal_border": hexed(palette.background)}
    tab = {
        "normal_bg": hexed(palette.panel),
        "normal_text": hexed(palette.soft),
        **dict.fromkeys(("selected_bg", "active_bg"), hexed(palette.raised)),
        **dict.fromkeys(("selected_text", "active_text", "selected_border"), hexed(palette.accent)),
    }
    chosen = {
        **plain,
        **dict.fromkeys(("selected_bg", "selected_border"), hexed(palette.raised)),
        "selected_text": hexed(palette.ink),
    }
    return {
        "@main": {"font": bold, "colours": main, "misc": _shape()},
        "@danger": {
            "font": bold,
            "colours": {
                **dict.fromkeys(("normal_text", "hovered_text", "normal_border"), hexed(palette.loss)),
                "hovered_bg": hexed(palette.panel),
            },
            "misc": _shape(),
        },
        "@segment": {"font": bold, "colours": segment, "misc": _shape(4)},
        "@entry": {"font": bold, "colours": chosen, "misc": _shape(**_left(lettering))},
        "@first": {
            "font": bold,
            "colours": {**chosen, **dict.fromkeys(("normal_bg", "selected_bg"), hexed(palette.raised))}
            | {"normal_border": hexed(palette.accent)},
            "misc": _shape(**_left(lettering)),
        },
        "@tab_title_button": {"font": bold, "colours": tab, "misc": _shape()},
    }
