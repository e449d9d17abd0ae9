/** The source view: a revision's text with the quoted words highlighted, and the original file to download. */

import { closeOnBackdrop, openModal } from "./dialogs.js";
import { byId, h, icon, iconButton } from "./dom.js";
import { locateAll, pieces } from "./locate.js";
import { statusTag, whereabouts } from "./parts/provenance.js";
import { day, places } from "./wording.js";

/**
 * @typedef {Object} Passage  what is shown; the view opens at the first quote
 * @property {string} document_id
 * @property {string} document_name
 * @property {string} revision_id
 * @property {string[]} heading_path
 * @property {import("./types.js").Anchor} [anchor]
 * @property {import("./locate.js").Quote[]} quotes
 * @property {string} label 引用 1, or 未采用的资料
 */

/**
 * @param {ReturnType<import("./api.js").createApi>} api
 * @param {(text: string) => void} toast
 */
export function createSourceView(api, toast) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("source"));
  closeOnBackdrop(dialog);
  let opened = 0;

  /** @param {Passage} passage */
  async function open(passage) {
    opened += 1;
    const mine = opened;
    frame(passage, [h("p", { class: "source-note", text: "正在打开原文…" })]);
    openModal(dialog);
    try {
      const source = await api.content(passage.document_id, passage.revision_id);
      if (mine === opened) show(passage, source);
    } catch (error) {
      if (mine === opened) frame(passage, [broken(passage, /** @type {Error} */ (error).message)]);
    }
  }

  /**
   * @param {Passage} passage
   * @param {string} message
   */
  function broken(passage, message) {
    const again = h("button", { type: "button", class: "button", on: { click: () => open(passage) } });
    again.append(icon("retry"), "重试");
    return h("div", { class: "source-note", role: "alert" }, h("p", { text: message }), again);
  }

  /**
   * @param {Passage} passage
   * @param {import("./types.js").SourceText} source
   */
  function show(passage, source) {
    const { ranges, lost } = locateAll(source.blocks, passage.quotes);
    const missing = "没有在这一版的原文中找到引用的文字，请下载原件核对。";
    const text = h(
      "div",
      { class: "source-text", tabindex: "0", role: "document", "aria-label": "原文" },
      ...blocks(source.blocks, ranges),
    );
    const warning = lost === 0 ? null : h("p", { class: "source-missing", role: "status", text: missing });
    frame(passage, [about(passage, source), warning, text]);
    text.querySelector("mark")?.scrollIntoView({ block: "center" });
    text.focus();
  }

  /**
   * @param {Passage} passage
   * @param {(Node|null)[]} content
   */
  function frame(passage, content) {
    const heading = h(
      "div",
      { class: "source-heading" },
      h("p", { class: "source-label", text: passage.label }),
      h("h2", { id: "source-title", text: passage.document_name }),
    );
    const close = iconButton("close", "关闭原文", () => dialog.close());
    dialog.replaceChildren(
      h("header", { class: "source-top" }, heading, close),
      ...content.filter((node) => node !== null),
    );
    close.focus();
  }

  /**
   * @param {Passage} passage
   * @param {import("./types.js").SourceText} source
   */
  function about(passage, { document: file, revision }) {
    const until = revision.effective_to ? `，至 ${day(revision.effective_to)}` : "";
    const force = revision.effective_from ? `${day(revision.effective_from)}起施行${until}` : "";
    const facts = [revision.label, force, file.issuer ?? ""].filter(Boolean);
    const status = statusTag(revision);
    const download = h("button", { type: "button", class: "button", on: { click: () => save(passage) } });
    download.append(icon("download"), "下载原件");
    return h(
      "div",
      { class: "source-about" },
      h(
        "div",
        {},
        h("p", { class: "provenance" }, status, ...facts.map((text) => h("span", { text }))),
        whereabouts(passage),
      ),
      download,
    );
  }

  /** @param {Passage} passage */
  async function save(passage) {
    try {
      const response = await api.original(passage.document_id, passage.revision_id);
      const address = URL.createObjectURL(await response.blob());
      h("a", { href: address, download: fileName(response) || passage.document_name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  return { open };
}

/**
 * The text in reading order, with a divider wherever a new page, sheet or slide begins.
 * @param {import("./types.js").SourceBlock[]} all
 * @param {import("./locate.js").Range[]} ranges
 */
function blocks(all, ranges) {
  let last = "";
  return all.flatMap((block) => {
    const { page, slide, sheet } = block.anchor ?? {};
    const leaf = places({ page, slide, sheet }).join(" ");
    const divider = leaf && leaf !== last ? [h("p", { class: "leaf", text: leaf })] : [];
    last = leaf || last;
    const words = pieces(block, ranges).map(({ text, marked }) => (marked ? h("mark", { text }) : text));
    const tag = block.kind === "heading" ? `h${Math.min(6, Math.max(1, block.level) + 2)}` : "p";
    return [...divider, h(tag, { class: `block block-${block.kind}` }, ...words)];
  });
}

/** @param {Response} response its Content-Disposition names the file, in UTF-8 or plainly */
function fileName(response) {
  const header = response.headers.get("Content-Disposition") ?? "";
  const utf8 = /filename\*=UTF-8''([^;]+)/i.exec(header);
  return utf8 ? decodeURIComponent(utf8[1]) : (/filename="?([^";]+)"?/i.exec(header)?.[1] ?? "");
}
