"""The parts of the static check: a survey of a table's space, test cases, and how findings are told. Pure."""
