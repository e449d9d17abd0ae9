"""Stand-ins for services outside this process: real servers on loopback, never mocks."""
