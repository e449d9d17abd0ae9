"""One turn of a conversation: which path answers (`routing`), and its course from start to end (`turns`)."""
