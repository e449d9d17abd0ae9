"""What a person has corrected: facts of documents and ends of revisions that no file changes any more.

Revision: 0004
Follows: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("documents", "revisions"):
        with op.batch_alter_table(table) as altered:
            altered.add_column(sa.Column("by_hand", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    for table in ("documents", "revisions"):
        with op.batch_alter_table(table) as altered:
            altered.drop_column("by_hand")
