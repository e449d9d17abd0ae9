"""The SQL record: models, sessions, migrations, and one module per kind of thing that is stored."""
