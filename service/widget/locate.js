/** Finding a quoted passage in a revision's blocks. Offsets are code points of the canonical text. */

/**
 * @typedef {{start: number, end: number}} Range
 * @typedef {{text: string, marked: boolean}} Piece
 * @typedef {{text: string, char_start: number, char_end: number}} Located
 */

/**
 * The stored range when the quote stands there, else the place where its words are found.
 * @param {Located[]} blocks
 * @param {string} quote
 * @param {?Range} stored
 * @returns {?Range}
 */
export function locate(blocks, quote, stored) {
  if (stored && stored.end > stored.start) {
    const marked = blocks.flatMap((block) => pieces(block, stored)).filter((piece) => piece.marked);
    if (!quote || bare(marked.map((piece) => piece.text).join("")) === bare(quote)) return stored;
  }
  return quote ? search(blocks, bare(quote)) : null;
}

/**
 * Cuts a block's text at the borders of a range.
 * @param {Located} block
 * @param {?Range} range
 * @returns {Piece[]}
 */
export function pieces(block, range) {
  const outside = !range || range.end <= block.char_start || range.start >= block.char_end;
  if (outside) return [{ text: block.text, marked: false }];
  const points = Array.from(block.text);
  const from = Math.max(0, range.start - block.char_start);
  const to = Math.min(points.length, range.end - block.char_start);
  const cut = [
    { text: points.slice(0, from).join(""), marked: false },
    { text: points.slice(from, to).join(""), marked: true },
    { text: points.slice(to).join(""), marked: false },
  ];
  return cut.filter((piece) => piece.text);
}

/**
 * @param {Located[]} blocks
 * @param {string} wanted without white space
 * @returns {?Range}
 */
function search(blocks, wanted) {
  let text = "";
  /** @type {number[]} the code-point offset behind each UTF-16 unit of `text` */
  const offsets = [];
  for (const block of blocks) {
    Array.from(block.text).forEach((point, index) => {
      if (/\s/.test(point)) return;
      text += point;
      for (let unit = 0; unit < point.length; unit += 1) offsets.push(block.char_start + index);
    });
  }
  const at = wanted ? text.indexOf(wanted) : -1;
  return at < 0 ? null : { start: offsets[at], end: offsets[at + wanted.length - 1] + 1 };
}

/** @param {string} text */
function bare(text) {
  return text.replace(/\s+/g, "").replace(/^…+|…+$/g, "");
}
