"""Errors of the application that a caller can act on; adapters translate foreign errors into these once.

    ZhixingError
    ├── BadRequest          400 the request is understood and wrong
    ├── NotAuthenticated    401
    ├── Forbidden           403
    ├── NotFound            404 absent, or hidden from this reader: the two look the same
    ├── Conflict            409 the state of things forbids it
    ├── TooLarge            413
    ├── UnsupportedMedia    415
    └── Unavailable         503 a part is down; `retry_after` seconds
        └── HomeLocked      another process holds the home folder

"No evidence", "no row matched" and "refused" are results with a reason, never errors.
"""

from collections.abc import Mapping


class ZhixingError(Exception):
    """`code` is stable and machine readable, `message` is for a person, `status` the HTTP status."""

    code = "internal_error"
    status = 500

    def __init__(
        self, message: str, *, code: str | None = None, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.details = dict(details or {})


class BadRequest(ZhixingError):
    code = "bad_request"
    status = 400


class NotAuthenticated(ZhixingError):
    code = "not_authenticated"
    status = 401


class NotFound(ZhixingError):
    code = "not_found"
    status = 404


class Forbidden(ZhixingError):
    """The caller is known and their role does not allow this action. Never used for hidden documents."""

    code = "forbidden"
    status = 403


class Conflict(ZhixingError):
    code = "conflict"
    status = 409


class TooLarge(ZhixingError):
    code = "too_large"
    status = 413


class UnsupportedMedia(ZhixingError):
    code = "unsupported_media_type"
    status = 415


class Unavailable(ZhixingError):
    code = "unavailable"
    status = 503
    retry_after = 5


class HomeLocked(Unavailable):
    code = "home_locked"
