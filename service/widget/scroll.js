/** Keeps the newest answer in sight: its question stays on top while it grows, and a reader who scrolls is left alone. */

const NEAR_PX = 40;
const MARGIN_PX = 16;

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement} toEnd the button that goes to the end
 */
export function createScroll(scroller, toEnd) {
  let following = true;
  let lastTop = 0;
  const below = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;

  function look() {
    if (scroller.scrollTop < lastTop - 2) following = false; // only a reader scrolls up
    lastTop = scroller.scrollTop;
    toEnd.hidden = below() < NEAR_PX;
  }

  scroller.addEventListener("scroll", look, { passive: true });
  toEnd.addEventListener("click", () => scroller.scrollTo({ top: scroller.scrollHeight }));
  return {
    /** @param {HTMLElement} turn the turn that grew */
    follow(turn) {
      if (following) scroller.scrollTop = Math.min(turn.offsetTop - MARGIN_PX, scroller.scrollHeight);
      look();
    },

    /** @param {HTMLElement} turn the turn to show from its beginning */
    goTo(turn) {
      following = true;
      lastTop = 0;
      this.follow(turn);
    },
  };
}
