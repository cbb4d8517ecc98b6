"""`horde rules rulings`: the points of the text with several readings, and the one taken."""

from __future__ import annotations

import json
import sys

from engine.core.settings import Setting
from engine.horde.all_settings import SETTINGS


def rulings(key: str, as_json: bool) -> None:
    """Print every setting, or the one of this key or ruling. Raises UnknownRuling."""
    chosen = (SETTINGS.named(key),) if key else SETTINGS
    if as_json:
        sys.stdout.write(json.dumps([_plain(each) for each in chosen], indent=1) + "\n")
        return
    sys.stdout.write("\n".join(line for each in chosen for line in _told(each)) + "\n")


def _told(each: Setting) -> list[str]:
    """Return a line of the doubt and one for each reading, the default first."""
    width = max(map(len, each.values))
    told = [f"{each.key} ({each.ruling}): {each.doubt}"]
    for value, means in each.readings:
        told.append(f"  {value:<{width}}  {means}{' (default)' if value == each.default else ''}")
    return told


def _plain(each: Setting) -> dict[str, object]:
    return {
        "key": each.key,
        "ruling": each.ruling,
        "doubt": each.doubt,
        "default": each.default,
        "readings": dict(each.readings),
        "alternatives": list(each.values[1:]),
    }
