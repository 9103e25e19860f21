// The card: everything about the lit token, always in the same place.

import { copyFrom } from "./clipboard.js";
import { facts } from "./chips.js";

const ORIGINS = {
  model: "the model",
  added: "added token, not special",
  special: "added token, special",
  template: "placed by the post-processor",
  padding: "padding",
};

const written = (span) => (span ? `${span[0]}–${span[1]}` : "none");

export class Card {
  constructor(root) {
    this.root = root;
    this.shown = null;
    this.slot = document.getElementById("card-chip");
    this.fields = Object.fromEntries([...root.querySelectorAll("[data-fact]")].map((dd) => [dd.dataset.fact, dd]));
    this.said = document.getElementById("chip-said");
    this.button = document.getElementById("copy-card");
    this.button.addEventListener("click", () => {
      if (this.shown) copyFrom(this.button, JSON.stringify(this.shown), "Card copied as JSON");
    });
    document.getElementById("close-card").addEventListener("click", () => this.open(false));
  }

  // As a sheet (narrow screens, projector) the card comes and goes; elsewhere it always stands.
  open(on) {
    this.root.toggleAttribute("data-open", on);
    document.documentElement.toggleAttribute("data-sheet", on);
  }

  // Whether it stands open over the page, so that Escape is meant for it.
  get isSheet() {
    return this.root.hasAttribute("data-open") && getComputedStyle(this.root).position === "fixed";
  }

  show(chip) {
    this.shown = null;
    this.slot.replaceChildren();
    this.button.disabled = !chip;
    if (!chip) {
      this.open(false);
      this.said.textContent = "";
      for (const field of Object.values(this.fields)) field.textContent = "–";
      return;
    }
    const { index, piece, characters, bytes, utf16, raw } = facts(chip);
    const origin = chip.dataset.o ?? "model";
    const face = document.createElement("span");
    face.className = chip.className.replace(/ ?\b(on|mate)\b/g, "");
    face.dir = chip.dir;
    face.append(...[...chip.childNodes].map((node) => node.cloneNode(true)));
    this.slot.append(face);

    const pairs = raw.match(/../g) ?? [];
    const cluster = chip.closest(".cl");
    const values = {
      id: chip.dataset.id,
      token: chip.dataset.v,
      raw: pairs.join(" ").toUpperCase() || "none",
      characters: written(characters),
      bytes: written(bytes),
      utf16: written(utf16),
      index,
      piece: piece === "" ? "none" : piece,
      origin: ORIGINS[origin],
    };
    for (const [name, value] of Object.entries(values)) this.fields[name].textContent = value;
    // The line is the description of the chip that has the focus, not of one that is only pointed at.
    if (chip.hasAttribute("aria-describedby")) {
      const from = origin === "model" ? [] : [ORIGINS[origin]];
      this.said.textContent = [`id ${values.id}`, ...from, piece === "" ? "no piece" : `piece ${piece}`].join(", ");
    }
    this.fields.text.replaceChildren(...textOf(chip, cluster));
    this.shown = {
      index: Number(index),
      id: Number(chip.dataset.id),
      token: chip.dataset.v,
      bytes: raw,
      characters,
      utf8: bytes,
      utf16,
      piece: piece === "" ? null : Number(piece),
      origin,
    };
  }
}

// The text in visible form; a token that shares a character shows the character and which part of it the token is.
function textOf(chip, cluster) {
  const from = cluster ? cluster.querySelector(".glyph") : chip;
  const nodes = [...from.childNodes].map((node) => node.cloneNode(true));
  if (chip.dataset.o === "template") return ["none, it was placed around the text"];
  if (chip.dataset.o === "padding") return ["none, it fills up to the length wanted"];
  if (!cluster) return nodes;
  const parts = [...cluster.querySelectorAll(".t")];
  return [`part ${parts.indexOf(chip) + 1} of ${parts.length} of `, ...nodes];
}
