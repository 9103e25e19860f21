// The same text laid out behind the text box, so that a span of it can be lit with the CSS Custom Highlight API.
// Spans come from the server in UTF-16 units, which is what text nodes count.

const SUPPORTED = "highlights" in CSS;
// Laying out a second copy of a very long text costs more than the light is worth.
const LIMIT_UNITS = 300_000;

export class Mirror {
  constructor(textarea, layer) {
    this.textarea = textarea;
    this.layer = layer;
    this.node = document.createTextNode("");
    layer.append(this.node);
    this.stale = true;
    textarea.addEventListener("input", () => {
      this.stale = true;
      this.clear();
    });
    textarea.addEventListener("scroll", () => this.follow(), { passive: true });
  }

  follow() {
    this.layer.scrollTop = this.textarea.scrollTop;
    this.layer.scrollLeft = this.textarea.scrollLeft;
  }

  clear() {
    if (SUPPORTED) CSS.highlights.clear();
  }

  // Lights the token's span, lightly that of its piece, and brings it into view.
  light(span, piece) {
    this.clear();
    if (!SUPPORTED || !span || this.textarea.value.length > LIMIT_UNITS) return;
    if (this.stale) {
      // A last newline opens a line in a text box; in the mirror it needs something behind it.
      this.node.data = `${this.textarea.value}\u200b`;
      this.layer.dir = getComputedStyle(this.textarea).direction;
      this.stale = false;
    }
    if (span[1] > this.node.length) return;
    const range = this.range(span);
    CSS.highlights.set("token", new Highlight(range));
    if (piece && (piece[0] < span[0] || piece[1] > span[1]) && piece[1] <= this.node.length) {
      CSS.highlights.set("piece", new Highlight(this.range(piece)));
      CSS.highlights.get("token").priority = 1;
    }
    this.follow();
    this.reveal(range);
  }

  range([start, end]) {
    const range = new Range();
    range.setStart(this.node, start);
    range.setEnd(this.node, end);
    return range;
  }

  reveal(range) {
    const box = this.textarea.getBoundingClientRect();
    const at = range.getBoundingClientRect();
    if (at.top < box.top + 8) this.textarea.scrollTop -= box.top + 8 - at.top + box.height / 3;
    else if (at.bottom > box.bottom - 8) this.textarea.scrollTop += at.bottom - box.bottom + 8 + box.height / 3;
    this.follow();
  }
}
