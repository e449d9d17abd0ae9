"""An index for pages of files, and a sketch of each revision's text.

Revision: 0003
Follows: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_files_updated_at", "files", ["updated_at"], unique=False)
    with op.batch_alter_table("revisions") as revisions:
        revisions.add_column(sa.Column("sketch", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("revisions") as revisions:
        revisions.drop_column("sketch")
    op.drop_index("ix_files_updated_at", "files")
