/** What the whole page knows: few facts, each with its readers. Nothing is kept beyond the life of the page. */

/**
 * @typedef {Object} AppState
 * @property {string} conversationId "" before the first question of a new conversation
 * @property {string} title
 * @property {boolean} answering
 * @property {string} asOf the day answers shall hold for; "" is today
 */

/** @param {AppState} initial */
export function createState(initial) {
  let current = initial;
  /** @type {Set<(state: AppState, before: AppState) => void>} */
  const readers = new Set();
  return {
    /** @returns {AppState} */
    get: () => current,

    /** @param {Partial<AppState>} change */
    set(change) {
      const before = current;
      current = { ...current, ...change };
      readers.forEach((reader) => reader(current, before));
    },

    /** @param {(state: AppState, before: AppState) => void} reader called at once and after every change */
    watch(reader) {
      readers.add(reader);
      reader(current, current);
    },
  };
}

/** The open conversation is kept in the address, so a reload restores it without any storage. */
export function conversationInAddress() {
  return new URLSearchParams(window.location.hash.slice(1)).get("c") ?? "";
}

/**
 * @param {string} id
 */
export function putConversationInAddress(id) {
  if (conversationInAddress() === id) return;
  const hash = id ? `#c=${encodeURIComponent(id)}` : window.location.pathname + window.location.search;
  window.history.replaceState(null, "", hash);
}
