"""Uploading documents: files are picked or dropped, beside what is to be known of them."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import events

from service.access import PUBLIC, Principal
from service.incoming import Incoming, upload_source
from service.labels import checked_labels
from service.storable import storable
from service.ui.cards import source_address
from service.ui.drop_area import Asked, drop_area
from service.ui.elements import Choice, Field, box, words
from service.ui.outcomes import Outcome
from service.ui.pages import Visit
from service.ui.upload_lines import Describe, UploadLines
from service.wording import audiences_of

OTHER = "other"


class Uploads:
    """The form, the place to drop files on, and a line for each."""

    def __init__(self, visit: Visit, on_taken: Callable[[], Awaitable[None]]) -> None:
        self._visit = visit
        self._lines = UploadLines(visit, self._form, on_taken, _source, "查看原文")

    def show(self) -> None:
        with box("section", "panel", aria_labelledby="upload-heading"):
            words("h2", "上传文档", "section-title", id="upload-heading")
            with box("div", "fields"):
                self._base = Field("知识库", value="default", maxlength=64)
                self._owner = Field("责任部门", maxlength=200, placeholder=self._visit.principal.name)
                self._audience = Choice(
                    "谁能看到",
                    {**audiences_of(self._visit.principal), OTHER: "自定义标签"},
                    value=PUBLIC,
                    on_change=self._audience_chosen,
                )
                self._password = Field(
                    "打开密码",
                    kind="password",
                    autocomplete="new-password",
                    placeholder="文件加密时填写",
                )
            self._labels_row = box("div", "fields")
            with self._labels_row:
                self._labels = Field(
                    "标签",
                    hint="多个用逗号分隔，如 department:总部/财务部、group:项目组",
                    style="field grow",
                )
            self._labels_row.set_visibility(False)
            self._drop_area()
            self._lines.show()

    def _drop_area(self) -> None:
        limit = self._visit.parts.settings.max_upload_mb
        asked = Asked(
            lead="把文件拖到这里，可以一次多个",
            pick="选择文件",
            hint=f"PDF、Word、Excel、PPT、网页、邮件、文本，或装着它们的 zip；单个不超过 {limit} MB。"
            "同名文件会成为新版本。",
            too_large=f"超过 {limit} MB 上限，请拆分后再上传",
            refused="正在上传，不必重复选择",
            multiple=True,
        )
        drop_area(asked, limit, self._received)

    async def _audience_chosen(self) -> None:
        self._labels_row.set_visibility(self._audience.value == OTHER)

    async def _received(self, event: events.UploadEventArguments) -> None:
        await self._lines.received(event, self._password.value)

    def _form(self) -> Describe:
        """Raises BadRequest for a label that means nothing."""
        labels: tuple[str, ...] = (self._audience.value,)
        if self._audience.value == OTHER:
            typed = self._labels.value.replace("，", ",").split(",")
            labels = checked_labels([label for label in typed if label.strip()])
        return partial(
            _incoming,
            storable(self._base.value).strip() or "default",
            labels,
            storable(self._owner.value).strip(),
        )


def _source(outcome: Outcome) -> str:
    return source_address(outcome.document_id, outcome.revision_id)


def _incoming(
    knowledge_base: str, labels: tuple[str, ...], owner: str, principal: Principal, name: str, password: str
) -> Incoming:
    return Incoming(
        source_uri=upload_source(principal, name),
        file_name=name,
        knowledge_base=knowledge_base,
        labels=labels,
        owner=owner or principal.name,
        password=password or None,
    )
