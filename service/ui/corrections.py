"""Putting right by hand what was read from a file: a document's facts, a revision's days and its document."""

from datetime import date

from starlette.concurrency import run_in_threadpool

from ingestion.documents import Document, Revision
from service.access import Principal, Role
from service.errors import BadRequest
from service.labels import checked_labels
from service.storable import storable
from service.store.corrections import BOUNDS, Belonging, Bound, Description, Fact, Revised
from service.ui.cards import source_address
from service.ui.elements import Choice, Dialog, Field, box, button, go_to, words
from service.ui.pages import Visit

FACTS = {Fact.TITLE: "题名", Fact.OWNER: "责任部门", Fact.ISSUER: "发文单位", Fact.BUSINESS_LINE: "业务线"}
LONGEST = {Fact.TITLE: 500}
SAME, OWN, OTHER = "", "own", "other"
MOST_OF_ONE_TITLE = 50


def offer(visit: Visit, document: Document, revision: Revision) -> None:
    """The buttons, for those who may use them."""
    if not visit.principal.allows(Role.ADMIN):
        return
    button("更正信息", lambda: DescriptionForm(visit, document, revision).show())
    button("更正版本", lambda: RevisionForm(visit, document, revision).show())


class DescriptionForm:
    """Only what was changed counts as corrected; the rest still follows the files."""

    def __init__(self, visit: Visit, document: Document, revision: Revision) -> None:
        self._visit = visit
        self._document = document
        self._revision = revision

    async def show(self) -> None:
        self._dialog = Dialog("更正文档信息")
        with self._dialog.content():
            words("p", "改过的几项以这里为准，以后的新版本不再改动它们。")
            with box("div", "fields"):
                self._fields = {
                    fact: Field(
                        name,
                        value=getattr(self._document, fact),
                        style="field wide",
                        maxlength=LONGEST.get(fact, 200),
                    )
                    for fact, name in FACTS.items()
                }
                self._labels = Field(
                    "标签",
                    value="，".join(self._document.labels),
                    hint="谁能看到。多个用逗号分隔，如 public，或 department:总部/财务部、group:项目组",
                    style="field wide",
                )
            with box("div", "dialog-actions"):
                button("取消", self._dialog.close)
                button("保存", self._save, "button button-main")

    async def _save(self) -> None:
        given = self._given()
        if given.facts or given.labels:
            principal = await self._visit.visitor.principal(Role.ADMIN)
            library = self._visit.parts.library
            await run_in_threadpool(library.describe, principal, self._document.id, given)
        await self._dialog.close()
        go_to(source_address(self._document.id, self._revision.id))

    def _given(self) -> Description:
        typed = {fact: storable(field.value).strip() for fact, field in self._fields.items()}
        facts = {fact: text for fact, text in typed.items() if text != getattr(self._document, fact)}
        labels = checked_labels(
            [label for label in self._labels.value.replace("，", ",").split(",") if label.strip()]
        )
        return Description(facts, None if labels == self._document.labels else labels)


class RevisionForm:
    """Only a day that was changed counts as set by hand."""

    def __init__(self, visit: Visit, document: Document, revision: Revision) -> None:
        self._visit = visit
        self._document = document
        self._revision = revision

    async def show(self) -> None:
        self._dialog = Dialog("更正这个版本")
        with self._dialog.content():
            words("p", "改过的日期以这里为准，别的文件写明废止也不算；后一版本施行时仍会接替。")
            with box("div", "fields"):
                self._days = {
                    bound: Field(BOUNDS[bound], value=self._shown(bound), kind="date") for bound in Bound
                }
                places = {SAME: "不变", OWN: "另立为一份文档", OTHER: "归入另一份文档"}
                self._place = Choice("归属", places, style="field wide", on_change=self._place_chosen)
                self._title = Field("那份文档的题名", style="field wide")
            self._title_shown(False)
            with box("div", "dialog-actions"):
                button("取消", self._dialog.close)
                button("保存", self._save, "button button-main")

    def _shown(self, bound: Bound) -> str:
        day: date | None = getattr(self._revision, bound)
        return day.isoformat() if day else ""

    async def _place_chosen(self) -> None:
        self._title_shown(self._place.value == OTHER)

    def _title_shown(self, shown: bool) -> None:
        self._title.row.set_visibility(shown)

    async def _save(self) -> None:
        principal = await self._visit.visitor.principal(Role.ADMIN)
        given = Revised(self._changed_days(), await self._belongs(principal))
        if given.days or given.belongs is not None:
            await run_in_threadpool(self._visit.parts.library.revise, principal, self._revision.id, given)
        store = self._visit.parts.documents
        now_in = await run_in_threadpool(store.of_revision, principal, self._revision.id)
        await self._dialog.close()
        go_to(source_address(now_in.document.id, self._revision.id))

    def _changed_days(self) -> dict[Bound, date | None]:
        typed = {bound: field.value for bound, field in self._days.items()}
        changed = {bound: text for bound, text in typed.items() if text != self._shown(bound)}
        try:
            return {bound: date.fromisoformat(text) if text else None for bound, text in changed.items()}
        except ValueError as error:
            raise BadRequest("日期填得不对") from error

    async def _belongs(self, principal: Principal) -> Belonging | None:
        if self._place.value == SAME:
            return None
        if self._place.value == OWN:
            return Belonging(None)
        return Belonging(await run_in_threadpool(self._named, principal, self._title.value.strip()))

    def _named(self, principal: Principal, title: str) -> str:
        """The one document of this title."""
        found = self._visit.parts.documents.page(
            principal,
            knowledge_base=self._document.knowledge_base,
            search=title,
            page_size=MOST_OF_ONE_TITLE,
        )
        ids = [stored.document.id for stored in found.items if stored.document.title == title]
        if len(ids) != 1:
            count = f"有 {len(ids)} 份" if ids else "没有"
            raise BadRequest(f"{count}题名恰为《{title}》的文档")
        return ids[0]
