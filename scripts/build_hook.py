"""Hatchling's hook: the compiled core, and what is to be installed to compile it.

An editable installation has the core compiled in place; a wheel holds it beside the sources. Where nothing
compiles the core, the installation goes on, and the core runs uncompiled.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from build_core import CORE, FOLDER, build, in_words, requirements


class CoreHook(BuildHookInterface[Any]):
    """Compiles the core while hatchling builds a wheel or an editable installation."""

    made: Path | None = None

    def dependencies(self) -> list[str]:
        """Return what is to be installed for the build alone."""
        return requirements(os.environ)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the core, and have a wheel hold it; a wheel of a compiled core is of one platform."""
        if version == "editable":
            record = build(CORE / FOLDER)
        else:
            self.made = Path(mkdtemp())
            record = build(self.made)
            build_data["force_include"][str(self.made)] = f"geometry/core/{FOLDER}"
            build_data["pure_python"] = bool(record.failure)
            build_data["infer_tag"] = not record.failure
        self.app.display_info(in_words(record))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for the wheel."""
        if self.made:
            shutil.rmtree(self.made, ignore_errors=True)
