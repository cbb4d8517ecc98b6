"""The settings of Horde Mode; `docs/RULINGS.md` tells the same to people."""

from __future__ import annotations

from engine.core.settings import Settings
from engine.horde.mode_settings import ABOUT_THE_MODE
from engine.horde.piloting import ABOUT_PILOTING

SETTINGS = Settings(ABOUT_PILOTING, ABOUT_THE_MODE)
"""Every setting of Horde Mode."""
