"""Where files are dropped or picked, documents and workbooks alike; what becomes of them is the caller's."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import events, ui

from service.config import MEGABYTE
from service.ui.elements import box, tell, words

TOO_LARGE = "max-file-size"


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of an area: `lead` says what to drop, `pick` what the button picks, `hint` what is taken.

    `accept` are endings of names, empty for any; `too_large` and `refused` follow the name of a file that is
    over the limit, or not taken for another reason.
    """

    lead: str
    pick: str
    hint: str
    too_large: str
    refused: str
    accept: str = ""
    multiple: bool = False


def drop_area(
    asked: Asked, limit_mb: int, on_upload: Callable[[events.UploadEventArguments], Awaitable[None]]
) -> None:
    """Each file is sent at once; what the browser keeps back or loses on the way is told by name."""

    def rejected(event: events.GenericEventArguments) -> None:
        for name, reason in event.args:
            tell(f"{name} {asked.too_large if reason == TOO_LARGE else asked.refused}", bad=True)

    def failed(event: events.GenericEventArguments) -> None:
        for name in event.args:
            tell(f"{name} 没有传完，请检查网络后重新选择", bad=True)

    uploader = ui.upload(
        multiple=asked.multiple, auto_upload=True, max_file_size=limit_mb * MEGABYTE, on_upload=on_upload
    )
    uploader.classes("drop")
    if asked.accept:
        uploader.props(f"accept={asked.accept}")
    inside = f"getElement({uploader.id}).$refs.qRef"
    with uploader.add_slot("header"), box("div", "drop-inner"):
        words("p", asked.lead, "drop-lead")
        box("q-uploader-add-trigger")  # brings the file input, which the button opens
        pick = words("button", asked.pick, "button button-main", type="button")
        pick.on("click", js_handler=f"() => {inside}.pickFiles()")
        words("p", asked.hint, "hint")
    # What was sent is forgotten by the browser, so that the same file can be picked again.
    uploader.on("uploaded", js_handler=f"() => {inside}.removeUploadedFiles()")
    uploader.on(
        "rejected",
        rejected,
        js_handler="(all) => emit(all.map((one) => [one.file.name, one.failedPropValidation]))",
    )
    uploader.on("failed", failed, js_handler="(sent) => emit(sent.files.map((file) => file.name))")
