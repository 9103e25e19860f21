// The cut fuzzer's strips: one stop of the Tab key each, arrows inside; a cell replays its cut.

// `replay(value)`: shows the cut that a cell stands for.
export function startFuzz(panel, strips, replay) {
  const button = document.getElementById("run-fuzz");

  const rove = () => {
    for (const cells of strips.querySelectorAll(".cells")) {
      [...cells.children].forEach((cell, place) => {
        cell.tabIndex = place === 0 ? 0 : -1;
      });
    }
  };

  strips.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell) return;
    event.preventDefault();
    for (const other of strips.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    for (const same of strips.querySelectorAll(`[value="${CSS.escape(cell.value)}"]`)) same.setAttribute("aria-current", "true");
    replay(cell.value);
  });

  strips.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cut");
    if (!cell) return;
    const cells = [...cell.parentElement.children];
    const at = cells.indexOf(cell);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cells.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = cells[Math.min(Math.max(to, 0), cells.length - 1)];
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  strips.addEventListener("htmx:afterSwap", (event) => {
    // The first strip of a new run replaces all there were.
    if (event.detail.target === strips) strips.classList.remove("stale");
    rove();
  });
  rove();

  return {
    // The strips are of an earlier input.
    outdated() {
      if (!strips.childElementCount) return;
      strips.classList.add("stale");
      if (!panel.open) {
        strips.replaceChildren();
        strips.classList.remove("stale");
      }
    },
    toggle() {
      panel.open = !panel.open;
      if (!panel.open) return;
      panel.scrollIntoView({ block: "nearest" });
      button.focus();
      if (!strips.childElementCount || strips.classList.contains("stale")) button.click();
    },
  };
}
