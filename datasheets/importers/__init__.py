"""Readers of outside formats, one module each; a battle uses none of them."""
