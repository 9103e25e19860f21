// The chips as one list with a roving tabindex, and the one that is lit.

export class Chips {
  // `changed(chip, reason)` is told which chip is lit; reason: "hover", "focus", "quiet" (focus without
  // anything opening), "caret", "result" or "rest".
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.list = [];
    this.lit = null;
    this.kept = null;
    this.quiet = false;
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const chip = event.target.closest(".t");
      if (chip) this.light(chip, "hover");
    });
    root.addEventListener("pointerleave", () => this.light(this.kept, root.contains(document.activeElement) ? "focus" : "rest"));
    root.addEventListener("focusin", (event) => {
      const chip = event.target.closest(".t");
      if (chip) this.keep(chip, this.quiet ? "quiet" : "focus");
    });
    root.addEventListener("click", (event) => {
      const chip = event.target.closest(".t");
      if (chip && !getSelection().toString()) chip.focus({ preventScroll: true });
    });
    root.addEventListener("keydown", (event) => this.onKey(event));
    this.refresh();
  }

  // Reads the chips anew after a swap; starts over when `fresh`, else more have come in behind.
  refresh(fresh = true) {
    this.list = [...this.root.querySelectorAll(".t")];
    if (!fresh) return;
    this.lit = this.kept = null;
    if (this.list.length) this.keep(this.list[0], "result");
    else this.changed(null, "result");
  }

  // Puts the focus on the lit chip; `quiet`: without opening anything. Says whether there is one.
  focus(chip = this.kept ?? this.list[0], quiet = false) {
    if (!chip) return false;
    this.quiet = quiet;
    chip.focus({ preventScroll: true });
    chip.scrollIntoView({ block: "nearest" });
    this.quiet = false;
    return true;
  }

  // The number of the focused chip, null where the focus is elsewhere: a swap takes the chip away, not the place.
  focusedAt() {
    const at = this.list.indexOf(document.activeElement);
    return at < 0 ? null : at;
  }

  keep(chip, reason) {
    const before = this.root.querySelector('.t[tabindex="0"]');
    if (before) before.tabIndex = -1;
    before?.removeAttribute("aria-describedby");
    chip.tabIndex = 0;
    // The line that the card fills with what it shows of the token.
    chip.setAttribute("aria-describedby", "chip-said");
    this.kept = chip;
    this.light(chip, reason);
  }

  light(chip, reason) {
    if (chip === this.lit && reason !== "focus" && reason !== "quiet") return;
    for (const lit of this.root.querySelectorAll(".on, .mate")) lit.classList.remove("on", "mate");
    this.root.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.lit = chip;
    if (chip) {
      for (const mate of this.mates(chip)) mate.classList.add("mate");
      chip.classList.remove("mate");
      chip.classList.add("on");
      chip.setAttribute("aria-selected", "true");
    }
    this.changed(chip, reason);
  }

  // The other chips of the same piece: its neighbours while the piece number is the same.
  mates(chip) {
    const { piece } = facts(chip);
    const at = this.list.indexOf(chip);
    const found = [];
    if (piece === "") return found;
    for (const step of [-1, 1]) {
      for (let i = at + step; this.list[i] && facts(this.list[i]).piece === piece; i += step) found.push(this.list[i]);
    }
    return found;
  }

  // The chip that holds the UTF-16 position `at` of the text; the one before the caret when it stands at a boundary.
  holding(at) {
    let low = 0;
    let high = this.list.length - 1;
    let best = null;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const span = spanNear(this.list, middle, low);
      if (!span || span[0] < at) {
        if (span) best = this.list[middle];
        low = middle + 1;
      } else high = middle - 1;
    }
    if (best && facts(best).utf16[1] < at) return null;
    return best ?? (at === 0 ? this.list.find((chip) => facts(chip).utf16) ?? null : null);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chip = event.target.closest(".t");
    const at = this.list.indexOf(chip);
    if (at < 0) return;
    const to = {
      ArrowRight: () => this.list[at + 1],
      ArrowLeft: () => this.list[at - 1],
      Home: () => this.list[0],
      End: () => this.list.at(-1),
      ArrowDown: () => this.onLine(at, 1),
      ArrowUp: () => this.onLine(at, -1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = to();
    if (!next) return;
    this.focus(next);
  }

  // The chip nearest in the line below (1) or above (-1).
  onLine(at, direction) {
    const from = this.list[at].getBoundingClientRect();
    const middle = from.left + from.width / 2;
    let line = null;
    let best = null;
    for (let i = at + direction; this.list[i]; i += direction) {
      const box = this.list[i].getBoundingClientRect();
      const beyond = direction > 0 ? box.top >= from.bottom - 2 : box.bottom <= from.top + 2;
      if (!beyond) continue;
      line ??= box;
      if (direction > 0 ? box.top >= line.bottom - 2 : box.bottom <= line.top + 2) break;
      const distance = Math.abs(box.left + box.width / 2 - middle);
      if (!best || distance < best.distance) best = { chip: this.list[i], distance };
    }
    return best?.chip;
  }
}

function spanNear(list, middle, low) {
  for (let i = middle; i >= low; i -= 1) {
    const { utf16 } = facts(list[i]);
    if (utf16) return utf16;
  }
  return null;
}

const span = (text) => (text ? text.split("-").map(Number) : null);

// What the server says of a token, see templates/tokens/_chips.html.
export function facts(chip) {
  const [index, piece, characters, bytes, utf16, raw] = chip.dataset.at.split(" ");
  return { index, piece, characters: span(characters), bytes: span(bytes), utf16: span(utf16), raw };
}
