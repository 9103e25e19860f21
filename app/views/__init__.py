"""What a template shows: frozen dataclasses and the pure functions that make them from tokcore's results."""
