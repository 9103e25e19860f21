"""What Python's own Unicode data must not decide: tables made from the pinned reference."""
