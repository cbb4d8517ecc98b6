"""Golden playthroughs: short battles, line by line."""
