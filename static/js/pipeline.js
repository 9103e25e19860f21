// The pipeline panel: asked for when it is open, and again after each result. What it shows is either of the result
// above or marked as stale; while it is closed it keeps nothing that a later opening could take for current.

export class Pipeline {
  constructor(panel, stages) {
    this.panel = panel;
    this.stages = stages;
    // Which result the stages are of, and which one is above.
    this.result = 0;
    this.asked = 0;
    panel.addEventListener("toggle", () => {
      if (panel.open && (this.isStale || !stages.querySelector(".stages"))) this.ask();
    });
    stages.addEventListener("htmx:afterSwap", (event) => {
      if (event.detail.target === stages) this.mark(this.asked !== this.result);
    });
  }

  get isStale() {
    return this.stages.classList.contains("stale");
  }

  mark(stale) {
    this.stages.classList.toggle("stale", stale);
    if (stale && !this.panel.open) this.stages.replaceChildren();
  }

  ask() {
    this.asked = this.result;
    htmx.trigger(this.stages, "tokboard:trace");
  }

  // The input is no longer what the stages are of.
  outdated() {
    this.result += 1;
    this.mark(true);
  }

  // A new result stands above.
  follow() {
    this.outdated();
    if (this.panel.open) this.ask();
  }

  toggle() {
    this.panel.open = !this.panel.open;
    if (this.panel.open) this.panel.scrollIntoView({ block: "nearest" });
  }
}
