"""What can go wrong between a file and the index.

    IngestionError
    ├── ParseFailure        a file that ends in a state other than parsed, with its reason
    ├── OcrFailure          a page the OCR engine gave up on
    ├── EmbeddingError      an embedder that is missing, failing or of the wrong size
    ├── ModelFailure        a language model gave no usable answer to one step
    └── IndexFailure         the index
        ├── IndexLocked     another process holds it
        ├── IndexMismatch   built with another embedding or schema: rebuild
        └── IndexUnavailable  unreachable or damaged
"""

from ingestion.documents import FailureReason, FileState


class IngestionError(Exception):
    """Base of this package. `code` is stable, the message is for the person who must act."""

    code = "ingestion_failed"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ParseFailure(IngestionError):
    """A file could not be read. `state` and `reason` are DESIGN's vocabulary."""

    def __init__(self, reason: FailureReason, message: str, state: FileState = FileState.FAILED) -> None:
        super().__init__(message)
        self.reason = reason
        self.state = state
        self.code = reason.value

    def __reduce__(self) -> tuple[type["ParseFailure"], tuple[FailureReason, str, FileState]]:
        """Crosses process borders whole: the default keeps only the message."""
        return type(self), (self.reason, self.message, self.state)


class OcrFailure(IngestionError):
    code = "ocr_failed"


class EmbeddingError(IngestionError):
    code = "embedding_failed"


class ModelFailure(IngestionError):
    """`lasting`: the model cannot be reached or refuses everything, so the next call would fail as well."""

    code = "model_failed"

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


class IndexFailure(IngestionError):
    code = "index_failed"


class IndexLocked(IndexFailure):
    code = "index_locked"


class IndexMismatch(IndexFailure):
    code = "index_mismatch"


class IndexUnavailable(IndexFailure):
    code = "index_unavailable"
