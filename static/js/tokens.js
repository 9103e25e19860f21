// The Tokens page: typing, the lit token in chips, card and text, copies, the pipeline.

import { settle, startFailures } from "./answers.js";
import { present, presenting } from "./appearance.js";
import { Card } from "./card.js";
import { Chips, facts } from "./chips.js";
import { announce } from "./clipboard.js";
import { onKey } from "./keys.js";
import { forget, startMemory } from "./memory.js";
import { Mirror } from "./mirror.js";
import { startMore } from "./more.js";
import { startOutputs } from "./outputs.js";
import { Pipeline } from "./pipeline.js";
import { restore, restoreFirst } from "./restore.js";
import { followState, setInState } from "./share.js";

const TYPING_PAUSE_MS = 120;
const LONG_TYPING_PAUSE_MS = 500;
const LONG_TEXT_UNITS = 50_000;
const STALE_AFTER_MS = 100;
const BEGINNING_UNITS = 8_000;

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const notKept = document.getElementById("not-kept");
const showIds = document.getElementById("show-ids");

// htmx writes every request that a newer one replaced to the console as an error; here that is how typing works.
htmx.logger = (_element, name, detail) => {
  if (detail.xhr?.status === 0 && (name === "htmx:sendAbort" || name === "htmx:afterRequest")) delete detail.error;
};

const card = new Card(document.getElementById("card"));
const pipeline = new Pipeline(document.getElementById("pipeline"), document.getElementById("stages"));
const mirror = new Mirror(text, document.getElementById("mirror"));
const chips = new Chips(result, (chip, reason) => {
  card.show(chip);
  if (chip && (reason === "hover" || reason === "focus")) card.open(true);
  if (reason === "hover" || reason === "focus" || reason === "quiet") mirror.light(chip && facts(chip).utf16, chip && pieceSpan(chip));
  else mirror.clear();
});

function pieceSpan(chip) {
  const spans = [chip, ...chips.mates(chip)].map((mate) => facts(mate).utf16).filter(Boolean);
  return spans.length ? [Math.min(...spans.map((span) => span[0])), Math.max(...spans.map((span) => span[1]))] : null;
}

// Running: a pause after the last key, longer for long texts; htmx replaces a request that is still under way.
let timer = 0;
let staleTimer = 0;

function run(pause = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger(form, "tokboard:run"), pause);
}

// Whether the box is ahead of the result (a link is then made of the box), and whether the address holds its text.
let edits = 0;
let sent = 0;
let inAddress = true;

function edited() {
  edits += 1;
  form.dataset.ahead = "1";
  inAddress = false;
  if (text.value === "") forget();
}
document.addEventListener("htmx:configRequest", (event) => {
  if (isRun(event.detail.elt)) sent = edits;
});
startMemory(() => (inAddress ? "" : text.value));

// A long text that was pasted: its beginning goes first, so that the first screen need not wait for the whole.
let beginningFirst = false;

text.addEventListener("input", (event) => {
  edited();
  const long = text.value.length > LONG_TEXT_UNITS;
  const pasted = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
  beginningFirst ||= long && pasted;
  run(pasted ? 0 : long ? LONG_TYPING_PAUSE_MS : TYPING_PAUSE_MS);
});
form.addEventListener("htmx:configRequest", (event) => {
  if (event.target !== form || !beginningFirst) return;
  beginningFirst = false;
  event.detail.parameters.text = text.value.slice(0, BEGINNING_UNITS).replace(/[\uD800-\uDBFF]$/, "");
  event.detail.parameters.beginning = "1";
});
form.addEventListener("change", (event) => {
  if (event.target === text || event.target === showIds) return;
  edited();
  run();
});

// What is shown is of an earlier input: it stays, dimmed, until there is something new, also where that failed.
function markStale(stale) {
  clearTimeout(staleTimer);
  for (const part of [result, card.root]) part.classList.toggle("stale", stale);
  if (stale) pipeline.outdated();
}

// The form, or the second half of a long text's result, which asks by itself.
const isRun = (element) => element === form || Boolean(element.classList?.contains("pending"));

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isRun(event.detail.elt)) return;
  clearTimeout(staleTimer);
  staleTimer = setTimeout(() => markStale(true), STALE_AFTER_MS);
});
document.addEventListener("htmx:afterRequest", (event) => {
  const replaced = event.detail.xhr.status === 0;
  if (isRun(event.detail.elt) && !replaced) markStale(!event.detail.successful);
});
startFailures(isRun, () => markStale(true));

// The focus keeps its place among the tokens when they are replaced.
let focusedAt = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target === result) focusedAt = chips.focusedAt();
});
document.addEventListener("htmx:afterSwap", (event) => {
  const { target, elt } = event.detail;
  if (target === result) arrived();
  else if (elt.classList?.contains("more") || target.classList?.contains("more")) chips.refresh(false);
});

function arrived() {
  settle();
  markStale(false);
  if (edits === sent) delete form.dataset.ahead;
  chips.refresh();
  if (focusedAt !== null) chips.focus(chips.list[Math.min(focusedAt, chips.list.length - 1)], true);
  focusedAt = null;
  const state = document.getElementById("state");
  if (!state) return;
  document.getElementById("adds-none").hidden = state.dataset.adds === "1";
  lightAtCaret();
  if (state.querySelector(".pending")) return;
  setInState(state, "show_ids", showIds.checked);
  follow(state);
  announce([...state.querySelectorAll(".count")].slice(0, 2).map(said).join(", "), 900);
  pipeline.follow();
}

function follow(state) {
  followState(
    state,
    () => text.value,
    (held) => {
      notKept.hidden = held;
      inAddress = held && !form.dataset.ahead;
    },
  );
}

const said = (count) => `${count.querySelector("dd").textContent} ${count.querySelector("dt").textContent}`;

// The caret lights its token.
function lightAtCaret() {
  if (document.activeElement !== text) return;
  const chip = chips.holding(text.selectionEnd);
  if (chip) chips.keep(chip, "caret");
  if (chip) showWithin(document.getElementById("chips"), chip);
}
document.addEventListener("selectionchange", lightAtCaret);

// Scrolls the chips, never the page, so far that a chip is seen.
function showWithin(list, chip) {
  const box = list.getBoundingClientRect();
  const at = chip.getBoundingClientRect();
  if (at.top < box.top) list.scrollTop -= box.top - at.top + 16;
  else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + 16;
}
text.addEventListener("focus", () => card.open(false));
text.addEventListener("blur", () => mirror.clear());

// Ids under the chips: a display choice that needs no new tokens, but a link keeps it.
function applyIds() {
  result.toggleAttribute("data-ids", showIds.checked);
}
showIds.addEventListener("change", () => {
  applyIds();
  const state = document.getElementById("state");
  if (!state || state.querySelector(".pending")) return;
  setInState(state, "show_ids", showIds.checked);
  follow(state);
});

startOutputs(form, () => run());
startMore();

for (const example of document.querySelectorAll("[data-example]")) {
  example.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setText(new URL(example.href).searchParams.get("text"));
  });
}

function setText(value) {
  text.value = value;
  edited();
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
  mirror.stale = true;
  beginningFirst = value.length > LONG_TEXT_UNITS;
  run();
}

text.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  const chip = chips.kept ?? chips.list[0];
  chip?.focus();
});
onKey("/", () => {
  present(false);
  text.focus();
});
onKey("i", () => showIds.click());
onKey("l", () => pipeline.toggle());

// Arrows walk from anywhere that has no use for them itself; up and down go on scrolling the page.
document.addEventListener("keydown", (event) => {
  const idle = event.target === document.body || event.target.id === "main";
  const walks = event.key === "ArrowRight" || event.key === "ArrowLeft";
  const vertical = presenting() && (event.key === "ArrowDown" || event.key === "ArrowUp");
  if (!idle || !(walks || vertical) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (chips.focus()) event.preventDefault();
});
document.addEventListener("tokboard:present", (event) => {
  card.open(false);
  if (event.detail) chips.focus(undefined, true);
});

// Escape closes what is uppermost: the card before the presenter. Heard first, so that both need not know each other.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !card.isSheet || event.target === text) return;
    if (event.target.closest?.("details.menu[open], dialog[open]")) return;
    event.preventDefault();
    const inside = card.root.contains(document.activeElement);
    card.open(false);
    if (inside) chips.focus(undefined, true);
  },
  true,
);

addEventListener("hashchange", () => restore(text, setText));
applyIds();
restoreFirst(text, setText);
