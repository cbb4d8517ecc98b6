"""What every ruleset and every agent must do."""
