/**
 * Keeps the newest answer in sight: its question stays on top while it grows, and a reader who scrolls is left
 * alone.
 */

const NEAR_PX = 40;
const MARGIN_PX = 16;
const SCROLL_KEYS = new Set(["PageUp", "PageDown", "ArrowUp", "ArrowDown", "Home", "End", " "]);

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement} toEnd the button that goes to the end
 */
export function createScroll(scroller, toEnd) {
  let following = true;

  // Content that shrinks moves the scroll position too, so a reader is told by what he does.
  const takeOver = () => {
    following = false;
  };
  scroller.addEventListener("wheel", takeOver, { passive: true });
  scroller.addEventListener("touchmove", takeOver, { passive: true });
  scroller.addEventListener("keydown", (event) => SCROLL_KEYS.has(event.key) && takeOver());
  scroller.addEventListener("pointerdown", (event) => event.target === scroller && takeOver()); // the scroll bar

  function look() {
    toEnd.hidden = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
  }

  scroller.addEventListener("scroll", look, { passive: true });
  toEnd.addEventListener("click", () => scroller.scrollTo({ top: scroller.scrollHeight }));

  /** @param {HTMLElement} turn the turn that grew */
  function follow(turn) {
    if (following) scroller.scrollTop = turn.offsetTop - MARGIN_PX;
    look();
  }

  return {
    follow,

    /** @param {HTMLElement} turn the turn to show from its beginning */
    goTo(turn) {
      following = true;
      follow(turn);
    },
  };
}
