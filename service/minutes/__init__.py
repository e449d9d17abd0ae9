"""The minutes path 会议纪要: what the service adds to `ingestion.minutes`. Knows no other path."""
