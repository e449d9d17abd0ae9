"""Files that went from a followed folder, and the revisions that were withdrawn with them.

Revision: 0002
Follows: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("files") as files:
        files.add_column(sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True))
        files.add_column(sa.Column("withdrawn", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    with op.batch_alter_table("files") as files:
        files.drop_column("withdrawn")
        files.drop_column("missing_since")
