/** Finding quoted passages in a revision's blocks. Offsets are code points of the canonical text. */

/**
 * @typedef {{start: number, end: number}} Range
 * @typedef {{text: string, range: ?Range}} Quote  words, and where they are said to stand if that is known
 * @typedef {{text: string, marked: boolean}} Piece
 * @typedef {{text: string, char_start: number, char_end: number}} Located
 */

/**
 * @param {Located[]} blocks
 * @param {Quote[]} quotes
 * @returns {{ranges: Range[], lost: number}} where they stand, in the order of the text, and how many are nowhere
 */
export function locateAll(blocks, quotes) {
  const found = quotes.map((quote) => locate(blocks, quote)).filter((range) => range !== null);
  return { ranges: found.sort((one, other) => one.start - other.start), lost: quotes.length - found.length };
}

/**
 * The stored range when the quote stands there, else the place where its words are found.
 * @param {Located[]} blocks
 * @param {Quote} quote
 * @returns {?Range}
 */
export function locate(blocks, { text, range }) {
  if (range) {
    const marked = blocks.flatMap((block) => pieces(block, [range])).filter((piece) => piece.marked);
    if (marked.length && bare(marked.map((piece) => piece.text).join("")) === bare(text)) return range;
  }
  return search(blocks, bare(text));
}

/**
 * Cuts a block's text at the borders of the ranges.
 * @param {Located} block
 * @param {Range[]} ranges in the order of the text
 * @returns {Piece[]}
 */
export function pieces(block, ranges) {
  const touching = ranges.filter((range) => range.end > block.char_start && range.start < block.char_end);
  if (!touching.length) return [{ text: block.text, marked: false }];
  const points = Array.from(block.text);
  /** @type {Piece[]} */
  const cut = [];
  let done = 0;
  const take = (/** @type {number} */ end, /** @type {boolean} */ marked) => {
    if (end > done) cut.push({ text: points.slice(done, end).join(""), marked });
    done = Math.max(done, end);
  };
  for (const range of touching) {
    take(Math.min(points.length, range.start - block.char_start), false);
    take(Math.min(points.length, range.end - block.char_start), true);
  }
  take(points.length, false);
  return cut;
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

/** @param {string} text a snippet may begin and end with an ellipsis */
function bare(text) {
  return text.replace(/\s+/g, "").replace(/^…+|…+$/g, "");
}
