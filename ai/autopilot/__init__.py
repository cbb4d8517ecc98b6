"""The players' autopilots: they play to hold objectives, trade well and win."""
