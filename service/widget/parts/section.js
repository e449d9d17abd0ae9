/** A part of the step card: its heading, a fact beside it, and what it holds. */

import { h } from "../dom.js";

/**
 * @param {string} kind its class
 * @param {string} name
 * @param {string|Node|null} fact
 * @param {...(Node|null)} content
 */
export function section(kind, name, fact, ...content) {
  const beside = fact ? h("p", { class: "card-fact" }, fact) : null;
  const head = h("div", { class: "card-part-head" }, h("h5", { text: name }), beside);
  return h("section", { class: `card-part ${kind}` }, head, ...content);
}
