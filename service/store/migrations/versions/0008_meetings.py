"""Meetings: which documents are minutes, who speaks in a chunk, and how each was cut into topics.

Revision: 0008
Follows: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("kind", sa.String(16), nullable=False, server_default="document"))
    op.add_column("documents", sa.Column("meeting_date", sa.Date(), nullable=True))
    op.create_index("ix_documents_kind", "documents", ["kind"])
    op.add_column("chunks", sa.Column("speakers", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "meetings",
        sa.Column("revision_id", sa.String(length=36), nullable=False),
        sa.Column("speakers", sa.JSON(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("paragraphs", sa.Integer(), nullable=False),
        sa.Column("segments", sa.Integer(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["revisions.id"],
            name="fk_meetings_revision_id_revisions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("revision_id", name="pk_meetings"),
    )


def downgrade() -> None:
    """What was a meeting goes on as a document like others."""
    op.drop_table("meetings")
    with op.batch_alter_table("chunks") as chunks:
        chunks.drop_column("speakers")
    op.drop_index("ix_documents_kind", "documents")
    with op.batch_alter_table("documents") as documents:
        documents.drop_column("meeting_date")
        documents.drop_column("kind")
