"""The settings of Horde Mode; `docs/RULINGS.md` tells the same to people."""

from __future__ import annotations

from engine.core.settings import Settings
from engine.horde.mode_settings import ABOUT_THE_MODE
from engine.horde.piloting import ABOUT_PILOTING
from engine.w40k.edition_settings import ABOUT_THE_EDITION

SETTINGS = Settings(ABOUT_PILOTING, ABOUT_THE_MODE, ABOUT_THE_EDITION)
"""Every setting of Horde Mode."""
