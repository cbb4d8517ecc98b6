"""Which key does what, and what the help says of it.

The names are pygame's own (`pygame.key.name`), so nothing here needs a window.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Binding:
    """A command, the keys that give it, how the help writes them, and what it does."""

    command: str
    keys: tuple[str, ...]
    shown: str
    does: str


BINDINGS: tuple[Binding, ...] = (
    Binding("toggle", ("space",), "Space", "play or pause"),
    Binding("forward", (".", ">"), ".", "one event forward"),
    Binding("back", (",", "<"), ",", "one event back"),
    Binding("next-decision", ("n",), "N", "next decision with its reasons"),
    Binding("previous-decision", ("b",), "B", "previous decision"),
    Binding("next-phase", ("]",), "]", "next phase"),
    Binding("previous-phase", ("[",), "[", "previous phase"),
    Binding("next-round", ("page down",), "Page Down", "next round"),
    Binding("previous-round", ("page up",), "Page Up", "previous round"),
    Binding("start", ("home",), "Home", "the battle's start"),
    Binding("end", ("end",), "End", "the battle's end"),
    Binding("faster", ("+", "=", "[+]", "keypad +"), "+", "faster"),
    Binding("slower", ("-", "[-]", "keypad -"), "−", "slower"),
    Binding("pan-left", ("left",), "← ↑ → ↓", "move the view (or drag it)"),
    Binding("pan-right", ("right",), "", ""),
    Binding("pan-up", ("up",), "", ""),
    Binding("pan-down", ("down",), "", ""),
    Binding("zoom-in", ("z",), "Z, X", "zoom in, out (or the wheel)"),
    Binding("zoom-out", ("x",), "", ""),
    Binding("fit", ("0",), "0", "fit the whole board"),
    Binding("follow", ("f",), "F", "follow the unit that acts"),
    Binding("summary", ("f6",), "F6", "what the Horde's last turn did"),
    Binding("next-unit", ("tab",), "Tab", "next unit (or click one)"),
    Binding("labels", ("l",), "L", "names on or off"),
    Binding("reasons", ("r",), "R", "decisions on the board on or off"),
    Binding("why-not", ("w",), "W", "why not …: type a unit, marker or option (or right-click one)"),
    Binding("picture", ("f12",), "F12", "save a picture of the moment"),
    Binding("help", ("h", "f1", "?"), "H", "this help (F1 at any time)"),
    Binding("escape", ("escape",), "Esc", "close, or choose no unit"),
    Binding("menu", ("f10",), "F10", "the menu: settings, tools, saving, leaving"),
    Binding("settings", ("f2",), "F2", "settings"),
)

TOOLS = (
    ("D", "ruler: drag it, or arrows 1″ (Shift 0.1″); it snaps to bases"),
    ("V", "what sees what: of the unit that is chosen or dragged, or from the place under the mouse"),
    ("T", "threat ranges: of the chosen unit, then of the Horde"),
    ("Shift+D, V, T", "the same while a typed answer may begin with the letter; Esc lays a tool down"),
)
"""What the help says of tools: they are in the menu, too."""

ASKED = (
    ("click a target", "in an open phase: the unit whose turn it is shoots, charges or strikes"),
    ("Tab, Shift+Tab", "the next unit that is ready, and the one before"),
    ("G, S, A", "that unit as suggested, stays, advances; double click on it: stays"),
    ("End, Shift+End", "end the phase; the rest of it as suggested"),
    ("/", "begins a typed line, where its first letter is a key"),
    ("drag a unit", "moves it; right click or Esc takes it back, a click on it lets it stay"),
    (
        "while dragged",
        "Q E turn, wheel spreads, W or Ctrl bends the way, A advances, G as suggested, S stays",
    ),
    ("Alt or Shift+drag", "one model; its unit goes with the next drag or Enter"),
    ("Enter", "answer; with nothing typed, as suggested"),
    ("?, why, why not X", "typed as an answer: what stands where, reasons"),
    ("undo, Ctrl+Z", "takes your last answer back, up to a roll"),
    ("auto, quit", "typed as an answer: hand over, leave"),
)
"""What the help says of keys while a question waits."""

WATCHED = (
    ("Space, + −", "while your battle plays on: pause, speed"),
    ("→ ←", "one event forward, back"),
    (". ] Enter", "to the next unit, phase, to your turn"),
)
"""What the help says of keys while a person's battle plays on."""

_COMMANDS = {key: binding.command for binding in BINDINGS for key in binding.keys}


def command(key: str, typed: str = "") -> str | None:
    """Return the command of a key, by the sign that it types or by its name; None without one."""
    return _COMMANDS.get(typed) or _COMMANDS.get(key.lower())


def help_lines() -> list[tuple[str, str]]:
    """Return the keys and what they do, for people."""
    return [
        *((binding.shown, binding.does) for binding in BINDINGS if binding.shown),
        *TOOLS,
        *WATCHED,
        *ASKED,
    ]
