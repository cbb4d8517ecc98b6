"""Options that commands of several groups take."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print for a machine to read.")]
WhyNot = Annotated[
    str, typer.Option("--why-not", help="Only why not this: a unit, an objective marker or an option.")
]
PaletteName = Annotated[
    str, typer.Option("--palette", help="The colours of the window: default or colour-blind.")
]
TextSize = Annotated[
    str, typer.Option("--text", help="The size of the window's words in percent, 80 to 200.")
]
