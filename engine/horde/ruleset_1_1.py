"""Horde Mode 1.1 on the 10th edition: the steps of its round in order.

The Horde's turn comes first, nobody gains CP in the Command phase, and the Horde is offered no Stratagems.
Control of objectives is counted as each phase ends. Rule: CORE.TURN.1, CORE.TURN.2, CORE.OBJ.4,
PLAY.4 to PLAY.6, PLAY.8, ROUND.4
"""

from __future__ import annotations

from engine.core.facts import HORDE, PLAYERS
from engine.core.ruleset import Step
from engine.horde.all_settings import SETTINGS
from engine.horde.language import LANGUAGE
from engine.horde.steps import arrivals, card, mission, resupply, secret, spawn
from engine.horde.wares import wares
from engine.w40k.activation import objective, stratagem
from engine.w40k.attack import lost_footing, standing_up
from engine.w40k.edition import Edition
from engine.w40k.legality.answer_check import faults
from engine.w40k.parameters import Parameters
from engine.w40k.phase import (
    action,
    army,
    charge,
    closing,
    command,
    deploy,
    fight,
    movement,
    reserves,
    shooting,
)

SETUP = (
    Step("setup.armies", "setup", army.muster),
    Step("setup.secrets", "setup", secret.deal_secrets),
    Step("setup.deploy", "setup", deploy.deploy),
)

START = (
    Step("start-of-round.misery", "start-of-round", card.reveal_misery),
    Step("start-of-round.mission", "start-of-round", mission.reveal_mission),
    Step("start-of-round.rewards", "start-of-round", mission.start_rewards),
    Step("start-of-round.spawn", "start-of-round", spawn.spawn),
    Step("start-of-round.scouts", "start-of-round", movement.scout),
)

HORDE_TURN = (
    Step("horde.command", "command", command.recover, HORDE),
    Step("horde.command.battle-shock", "command", command.battle_shock, HORDE),
    Step("horde.movement", "movement", movement.movement, HORDE),
    Step("horde.movement.reinforcements", "movement", arrivals.horde_reinforcements, HORDE),
    Step("horde.shooting", "shooting", shooting.shooting, HORDE),
    Step("horde.charge", "charge", charge.charge, HORDE),
    Step("horde.fight.first", "fight", fight.fights_first, HORDE),
    Step("horde.fight.remaining", "fight", fight.remaining_combats, HORDE),
    Step("horde.end-of-turn", "end-of-turn", closing.coherency, HORDE),
)

PLAYERS_TURN = (
    Step("players.command", "command", command.recover, PLAYERS),
    Step("players.command.battle-shock", "command", command.battle_shock, PLAYERS),
    Step("players.command.supply", "command", mission.supply, PLAYERS),
    Step("players.command.resupply", "command", resupply.resupply, PLAYERS),
    Step("players.command.actions", "command", action.command_actions, PLAYERS),
    Step("players.movement", "movement", movement.movement, PLAYERS),
    Step("players.movement.reinforcements", "movement", reserves.reinforcements, PLAYERS),
    Step("players.shooting", "shooting", shooting.shooting, PLAYERS),
    Step("players.charge", "charge", charge.charge, PLAYERS),
    Step("players.fight.first", "fight", fight.fights_first, PLAYERS),
    Step("players.fight.remaining", "fight", fight.remaining_combats, PLAYERS),
    Step("players.end-of-turn", "end-of-turn", closing.coherency, PLAYERS),
    Step("players.end-of-turn.actions", "end-of-turn", action.turn_actions, PLAYERS),
)

END = (
    Step("end-of-round.missions", "end-of-round", mission.resolve_missions),
    Step("end-of-round.reserves", "end-of-round", closing.late_reserves),
    Step("end-of-round.secrets", "end-of-round", secret.reveal_secrets),
    Step("end-of-round.battle", "end-of-round", secret.end_battle),
)

HORDE_1_1 = Edition(
    id="horde-1.1",
    parameters=Parameters(),
    steps=(*SETUP, *START, *HORDE_TURN, *PLAYERS_TURN, *END),
    rules=("horde",),
    settings=SETTINGS,
    language=LANGUAGE,
    check=faults,
    reactions={
        "round-began": (mission.bring_forward,),
        **dict.fromkeys(action.BREAKS_ACTION, (action.break_action,)),
        "removed": (action.break_action, lost_footing.come_down),
    },
    wares=wares,
    phase_end=(standing_up.let_stand_up, stratagem.offer_at_phase_end, objective.update),
)
