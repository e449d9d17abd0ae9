/** Keeps the newest words in sight, unless the reader has scrolled away to read. */

const NEAR_PX = 80;

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement} toEnd the button that goes back to the end
 */
export function createScroll(scroller, toEnd) {
  let sticking = true;
  const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  const end = () => scroller.scrollTo({ top: scroller.scrollHeight });

  scroller.addEventListener("scroll", () => {
    sticking = distance() < NEAR_PX;
    toEnd.hidden = sticking;
  }, { passive: true });
  toEnd.addEventListener("click", () => {
    sticking = true;
    end();
  });
  return {
    follow: () => sticking && end(),
    stick() {
      sticking = true;
    },
  };
}
