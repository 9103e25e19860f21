// More tokens on scrolling. Where they did not come, the next scroll or a click asks again.

import { failure, isOwnProblem } from "./answers.js";

const waiting = new Set();

// An element that asks only once is replaced by a fresh one.
function rearm() {
  for (const more of waiting) {
    const old = more.isConnected && more.querySelector(".ahead");
    if (!old) continue;
    const ahead = old.cloneNode(true);
    ahead.className = "ahead";
    old.replaceWith(ahead);
    htmx.process(ahead);
  }
  waiting.clear();
}

function failed(more, words) {
  more.querySelector(".more-failed")?.remove();
  const said = document.createElement("span");
  said.className = "more-failed";
  said.setAttribute("role", "alert");
  said.textContent = words;
  more.append(said);
  waiting.add(more);
}

const AGAIN = "Scroll on or press the button to ask for these tokens again.";

export function startMore() {
  const of = (event) => event.detail.requestConfig.elt.closest?.(".more");
  document.addEventListener("htmx:beforeSwap", (event) => {
    const more = of(event);
    if (!more) return;
    const { xhr } = event.detail;
    const good = xhr.status === 200 && xhr.responseText.trim() !== "";
    if (good) return;
    event.detail.isError = true;
    event.detail.shouldSwap = xhr.status >= 400 && isOwnProblem(xhr.responseText);
    failed(more, event.detail.shouldSwap ? "These tokens were refused; the box says why." : failure(xhr.status, AGAIN));
  });
  for (const [name, status] of [["htmx:sendError", 0], ["htmx:timeout", 408]]) {
    document.addEventListener(name, (event) => of(event) && failed(of(event), failure(status, AGAIN)));
  }
  document.addEventListener("scroll", rearm, { capture: true, passive: true });
}
