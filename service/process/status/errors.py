"""Why the approval system gives no answer.

    ZhixingError
    ├── NotConnected         503 no approval system is connected
    ├── StatusMisconfigured  500 the setting, the mapping or a list of people is wrong
    ├── StatusUnreadable     502 it answers, and the answer is not what the mapping says
    └── Unavailable
        └── StatusUnavailable  503 it is down, slow or busy; `retry_after` seconds
"""

from service.errors import Unavailable, ZhixingError


class NotConnected(ZhixingError):
    code = "status_not_connected"
    status = 503


class StatusMisconfigured(ZhixingError):
    code = "status_misconfigured"


class StatusUnreadable(ZhixingError):
    code = "status_unreadable"
    status = 502


class StatusUnavailable(Unavailable):
    code = "status_unavailable"

    def __init__(self, message: str, retry_after: float = 5) -> None:
        super().__init__(message)
        self.retry_after = max(1, round(retry_after))
