"""The first schema.

Revision: 0001
Follows: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("key_sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("department", sa.Text(), nullable=False),
        sa.Column("groups", sa.JSON(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("key_sha256", name="uq_api_keys_key_sha256"),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("principal_id", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_action", "audit", ["action"], unique=False)
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_index("ix_audit_principal_id", "audit", ["principal_id"], unique=False)
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("principal_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_index(
        "ix_conversations_principal_updated", "conversations", ["principal_id", "updated_at"], unique=False
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("source_uri", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("knowledge_base", sa.String(length=64), nullable=False),
        sa.Column("media_type", sa.String(length=128), nullable=False),
        sa.Column("business_line", sa.Text(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("source_updated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
    )
    op.create_index("ix_documents_knowledge_base", "documents", ["knowledge_base"], unique=False)
    op.create_index("ix_documents_title_key", "documents", ["title_key"], unique=False)
    op.create_table(
        "files",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("knowledge_base", sa.String(length=64), nullable=False),
        sa.Column("source_uri", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("content_sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("modified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("document_id", sa.String(length=36), nullable=True),
        sa.Column("revision_id", sa.String(length=36), nullable=True),
        sa.Column("task_id", sa.String(length=36), nullable=True),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_files"),
    )
    op.create_index("ix_files_content_sha256", "files", ["content_sha256"], unique=False)
    op.create_index("ix_files_document_id", "files", ["document_id"], unique=False)
    op.create_index("ix_files_revision_id", "files", ["revision_id"], unique=False)
    op.create_index("ix_files_state", "files", ["state"], unique=False)
    op.create_index("ix_files_task_id", "files", ["task_id"], unique=False)
    op.create_table(
        "state",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_state"),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("principal_id", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tasks"),
    )
    op.create_index("ix_tasks_state", "tasks", ["state"], unique=False)
    op.create_table(
        "term_stats",
        sa.Column("term", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("term", name="pk_term_stats"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("conversation_id", sa.String(length=36), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_messages_conversation_id_conversations",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    op.create_index(
        "ix_messages_conversation_order", "messages", ["conversation_id", "created_at"], unique=False
    )
    op.create_table(
        "revisions",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("document_id", sa.String(length=36), nullable=False),
        sa.Column("content_sha256", sa.String(length=64), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("stated_status", sa.String(length=16), nullable=False),
        sa.Column("stated_from", sa.Date(), nullable=True),
        sa.Column("stated_to", sa.Date(), nullable=True),
        sa.Column("replaces", sa.String(length=36), nullable=True),
        sa.Column("evidence_of_version", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("effective_from", sa.Date(), nullable=True),
        sa.Column("effective_to", sa.Date(), nullable=True),
        sa.Column("supersedes", sa.String(length=36), nullable=True),
        sa.Column("line_evidence", sa.JSON(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("changed_in", sa.BigInteger(), nullable=False),
        sa.Column("index_facts", sa.String(length=64), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        sa.Column("keyword_stats", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_revisions_document_id_documents", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_revisions"),
        sa.UniqueConstraint("document_id", "content_sha256", name="uq_revisions_document_id"),
    )
    op.create_index("ix_revisions_changed_in", "revisions", ["changed_in"], unique=False)
    op.create_index("ix_revisions_content_sha256", "revisions", ["content_sha256"], unique=False)
    op.create_index("ix_revisions_document_id", "revisions", ["document_id"], unique=False)
    op.create_index("ix_revisions_phase", "revisions", ["phase"], unique=False)
    op.create_table(
        "chunks",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("revision_id", sa.String(length=36), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("heading_path", sa.JSON(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("char_start", sa.Integer(), nullable=False),
        sa.Column("char_end", sa.Integer(), nullable=False),
        sa.Column("anchors", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revisions.id"], name="fk_chunks_revision_id_revisions", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_chunks"),
    )
    op.create_index("ix_chunks_revision_ordinal", "chunks", ["revision_id", "ordinal"], unique=False)
    op.create_table(
        "feedback",
        sa.Column("message_id", sa.String(length=36), nullable=False),
        sa.Column("principal_id", sa.Text(), nullable=False),
        sa.Column("rating", sa.String(length=16), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name="fk_feedback_message_id_messages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "principal_id", name="pk_feedback"),
    )
    op.create_table(
        "message_events",
        sa.Column("message_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(length=32), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name="fk_message_events_message_id_messages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "number", name="pk_message_events"),
    )
    op.create_table(
        "repeals",
        sa.Column("revision_id", sa.String(length=36), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("effective_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["revisions.id"], name="fk_repeals_revision_id_revisions", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("revision_id", "title_key", name="pk_repeals"),
    )
    op.create_index("ix_repeals_title_key", "repeals", ["title_key"], unique=False)
    op.create_table(
        "revision_contents",
        sa.Column("revision_id", sa.String(length=36), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("blocks", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("file_metadata", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["revisions.id"],
            name="fk_revision_contents_revision_id_revisions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("revision_id", name="pk_revision_contents"),
    )


def downgrade() -> None:
    op.drop_table("revision_contents")
    op.drop_index("ix_repeals_title_key", table_name="repeals")
    op.drop_table("repeals")
    op.drop_table("message_events")
    op.drop_table("feedback")
    op.drop_index("ix_chunks_revision_ordinal", table_name="chunks")
    op.drop_table("chunks")
    op.drop_index("ix_revisions_phase", table_name="revisions")
    op.drop_index("ix_revisions_document_id", table_name="revisions")
    op.drop_index("ix_revisions_content_sha256", table_name="revisions")
    op.drop_index("ix_revisions_changed_in", table_name="revisions")
    op.drop_table("revisions")
    op.drop_index("ix_messages_conversation_order", table_name="messages")
    op.drop_table("messages")
    op.drop_table("term_stats")
    op.drop_index("ix_tasks_state", table_name="tasks")
    op.drop_table("tasks")
    op.drop_table("state")
    op.drop_index("ix_files_task_id", table_name="files")
    op.drop_index("ix_files_state", table_name="files")
    op.drop_index("ix_files_revision_id", table_name="files")
    op.drop_index("ix_files_document_id", table_name="files")
    op.drop_index("ix_files_content_sha256", table_name="files")
    op.drop_table("files")
    op.drop_index("ix_documents_title_key", table_name="documents")
    op.drop_index("ix_documents_knowledge_base", table_name="documents")
    op.drop_table("documents")
    op.drop_index("ix_conversations_principal_updated", table_name="conversations")
    op.drop_table("conversations")
    op.drop_index("ix_audit_principal_id", table_name="audit")
    op.drop_index("ix_audit_at", table_name="audit")
    op.drop_index("ix_audit_action", table_name="audit")
    op.drop_table("audit")
    op.drop_table("api_keys")
