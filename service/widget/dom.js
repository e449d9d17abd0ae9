/** Building elements. Text only ever becomes a text node, so nothing foreign is parsed as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] `on` maps event names to listeners; `class` and `text` are what they
 *   say; true and false switch an attribute; null and undefined leave it out.
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A picture from the sprite `icons.svg`; it is decoration, so the element around it carries the name.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/widget/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/**
 * A button that shows an icon only.
 * @param {string} name icon
 * @param {string} label what it does, read aloud and shown on hover
 * @param {(event: Event) => void} onClick
 * @param {string} [extraClass]
 */
export function iconButton(name, label, onClick, extraClass = "") {
  const properties = { type: "button", class: `icon-button ${extraClass}`.trim(), title: label, "aria-label": label };
  return h("button", { ...properties, on: { click: onClick } }, icon(name));
}

/**
 * @template {Element} T
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks #${id}`);
  return /** @type {any} */ (found);
}
