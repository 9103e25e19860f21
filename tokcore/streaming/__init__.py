"""Text that leaves while it is made: ids to text, text to its stop, and ways to cut a stream."""
