"""The Horde AI: one function for each clause of the rules that pilot the Horde."""
