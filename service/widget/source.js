/** The source view: a revision's text with the quoted words highlighted, its other revisions, the original file. */

import { comparisonView } from "./comparison.js";
import { closeOnBackdrop, openModal } from "./dialogs.js";
import { byId, h, icon, iconButton } from "./dom.js";
import { saveFile } from "./download.js";
import { locateAll, pieces } from "./locate.js";
import { statusTag, whereabouts } from "./parts/provenance.js";
import { hasPredecessor, versionLine } from "./versions.js";
import { places, term } from "./wording.js";

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

  /**
   * @param {Passage} passage
   * @param {Passage} [cited] what the view was opened for; its revision keeps its quotes when it is chosen again
   */
  function open(passage, cited = passage) {
    const fetching = () => api.content(passage.document_id, passage.revision_id);
    return load(passage, "正在打开原文…", fetching, (source) => show(passage, cited, source));
  }

  /**
   * @param {Passage} passage
   * @param {Passage} cited
   */
  function compare(passage, cited) {
    const compared = { ...passage, label: "版本对照" };
    const fetching = () => api.comparison(passage.document_id, passage.revision_id);
    return load(compared, "正在对照两个版本…", fetching, (found) => {
      const leave = () => open(passage, cited);
      const [bar, ...rest] = comparisonView(found);
      bar.append(h("button", { type: "button", class: "button", on: { click: leave } }, "回到原文"));
      frame(compared, [bar, ...rest], true);
      dialog.querySelector(".pair:not(.pair-same)")?.scrollIntoView({ block: "center" });
      /** @type {?HTMLElement} */ (dialog.querySelector(".comparison-text"))?.focus({ preventScroll: true });
    });
  }

  /**
   * @template T
   * @param {Passage} passage
   * @param {string} note what is shown meanwhile
   * @param {() => Promise<T>} fetching
   * @param {(found: T) => void} draw not called when something else was opened in the meantime
   */
  async function load(passage, note, fetching, draw) {
    opened += 1;
    const mine = opened;
    frame(passage, [h("p", { class: "source-note", text: note })]);
    openModal(dialog);
    try {
      const found = await fetching();
      if (mine === opened) draw(found);
    } catch (error) {
      const again = () => load(passage, note, fetching, draw);
      if (mine === opened) frame(passage, [broken(/** @type {Error} */ (error).message, again)]);
    }
  }

  /**
   * @param {string} message
   * @param {() => void} retry
   */
  function broken(message, retry) {
    const again = h("button", { type: "button", class: "button", on: { click: retry } });
    again.append(icon("retry"), "重试");
    return h("div", { class: "source-note", role: "alert" }, h("p", { text: message }), again);
  }

  /**
   * @param {Passage} passage
   * @param {Passage} cited
   * @param {import("./types.js").SourceText} source
   */
  function show(passage, cited, source) {
    const { ranges, lost } = locateAll(source.blocks, passage.quotes);
    const missing = "没有在这一版的原文中找到引用的文字，请下载原件核对。";
    const text = h(
      "div",
      { class: "source-text", tabindex: "0", role: "document", "aria-label": "原文" },
      ...blocks(source.blocks, ranges),
    );
    const warning = lost === 0 ? null : h("p", { class: "source-missing", role: "status", text: missing });
    const choose = (/** @type {string} */ id) => open(id === cited.revision_id ? cited : another(cited, id), cited);
    const line = versionLine(source.document.revisions, source.revision.id, choose);
    frame(passage, [about(passage, cited, source), line, warning, text]);
    text.querySelector("mark")?.scrollIntoView({ block: "center" });
    text.focus();
  }

  /**
   * @param {Passage} passage
   * @param {(Node|null)[]} content
   * @param {boolean} [wide] two columns want room
   */
  function frame(passage, content, wide = false) {
    dialog.classList.toggle("source-wide", wide);
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
   * @param {Passage} cited
   * @param {import("./types.js").SourceText} source
   */
  function about(passage, cited, { document: file, revision }) {
    const facts = [revision.label, term(revision), file.issuer ?? ""].filter(Boolean);
    const standing = file.kind === "minutes" ? { ...revision, status: "meeting" } : revision;
    const download = h("button", { type: "button", class: "button", on: { click: () => save(passage) } });
    download.append(icon("download"), "下载原件");
    const comparing = { type: "button", class: "button", on: { click: () => compare(passage, cited) } };
    const older = hasPredecessor(file.revisions, revision) ? h("button", comparing, "与上一版对照") : null;
    return h(
      "div",
      { class: "source-about" },
      h(
        "div",
        {},
        h("p", { class: "provenance" }, statusTag(standing), ...facts.map((text) => h("span", { text }))),
        whereabouts(passage),
      ),
      h("div", { class: "source-actions" }, older, download),
    );
  }

  /** @param {Passage} passage */
  async function save(passage) {
    try {
      await saveFile(await api.original(passage.document_id, passage.revision_id), passage.document_name);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  return { open: (/** @type {Passage} */ passage) => open(passage) };
}

/**
 * Another revision of the document, of which nothing is quoted.
 * @param {Passage} cited
 * @param {string} revisionId
 * @returns {Passage}
 */
function another({ document_id, document_name }, revisionId) {
  return { document_id, document_name, revision_id: revisionId, heading_path: [], quotes: [], label: "另一版本" };
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
