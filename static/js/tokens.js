// The Tokens page: typing, the lit token in chips, card and text, copies, the pipeline.

import { Card } from "./card.js";
import { Chips, facts } from "./chips.js";
import { announce, copyFrom } from "./clipboard.js";
import { onKey } from "./keys.js";
import { Mirror } from "./mirror.js";
import { followState, textOfLink } from "./share.js";

const TYPING_PAUSE_MS = 120;
const LONG_TYPING_PAUSE_MS = 500;
const LONG_TEXT_UNITS = 50_000;
const STALE_AFTER_MS = 100;
const BEGINNING_UNITS = 8_000;

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const problem = document.getElementById("problem");
const pipeline = document.getElementById("pipeline");
const stages = document.getElementById("stages");
const showIds = document.getElementById("show-ids");

// htmx writes every request that a newer one replaced to the console as an error; here that is how typing works.
htmx.logger = (_element, name, detail) => {
  if (detail.xhr?.status === 0 && (name === "htmx:sendAbort" || name === "htmx:afterRequest")) delete detail.error;
};

const card = new Card(document.getElementById("card"));
const mirror = new Mirror(text, document.getElementById("mirror"));
const chips = new Chips(result, (chip, reason) => {
  card.show(chip);
  if (chip && (reason === "hover" || reason === "focus")) card.open(true);
  if (reason === "hover" || reason === "focus") mirror.light(chip && facts(chip).utf16, chip && pieceSpan(chip));
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

// A long text that was pasted: its beginning goes first, so that the first screen need not wait for the whole.
let beginningFirst = false;

text.addEventListener("input", (event) => {
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
  if (event.target !== text && event.target !== showIds) run();
});

form.addEventListener("htmx:beforeRequest", () => {
  clearTimeout(staleTimer);
  staleTimer = setTimeout(() => result.classList.add("stale"), STALE_AFTER_MS);
});
form.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.xhr.status === 0 && event.detail.failed !== true) return;
  clearTimeout(staleTimer);
  result.classList.remove("stale");
});
form.addEventListener("htmx:sendError", () => {
  clearTimeout(staleTimer);
  const said = document.createElement("p");
  said.className = "notice error";
  said.setAttribute("role", "alert");
  said.textContent = "The server does not answer. Your text is still here; it will be sent again when you type.";
  problem.replaceChildren(said);
});

document.addEventListener("htmx:afterSwap", (event) => {
  const { target, elt } = event.detail;
  if (target === result) arrived();
  else if (elt.classList?.contains("more") || target.classList?.contains("more")) chips.refresh(false);
});

function arrived() {
  problem.replaceChildren();
  chips.refresh();
  const state = document.getElementById("state");
  document.getElementById("adds-none").hidden = state.dataset.adds === "1";
  lightAtCaret();
  if (state.querySelector(".pending")) return;
  followState(state);
  announce([...state.querySelectorAll(".count")].slice(0, 2).map(said).join(", "), 900);
  trace();
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
result.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && card.root.hasAttribute("data-open")) card.open(false);
});
text.addEventListener("blur", () => mirror.clear());

// Ids under the chips: a display choice, but a link keeps it.
function applyIds() {
  result.toggleAttribute("data-ids", showIds.checked);
}
showIds.addEventListener("change", () => {
  applyIds();
  run();
});

// The pipeline is asked for when it is open, and again after each result.
function trace() {
  if (pipeline.open) htmx.trigger(stages, "tokboard:trace");
}
pipeline.addEventListener("toggle", () => {
  if (pipeline.open && !stages.querySelector(".stages")) trace();
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => {
    const kind = button.dataset.copy;
    const made = fetch("/tokens.json", { method: "POST", body: new URLSearchParams(new FormData(form)) })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error("refused"))))
      .then((all) => JSON.stringify(all[kind]));
    copyFrom(button, made, `All ${kind} copied as JSON`);
  });
}

for (const example of document.querySelectorAll("[data-example]")) {
  example.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setText(new URL(example.href).searchParams.get("text"));
  });
}

function setText(value) {
  text.value = value;
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
onKey("/", () => text.focus());
onKey("i", () => showIds.click());
onKey("l", () => {
  pipeline.open = !pipeline.open;
  if (pipeline.open) pipeline.scrollIntoView({ block: "nearest" });
});

// Text that came in the link's fragment part, or that HTML could not carry (NUL), is put back into the box.
async function restore() {
  try {
    const carried = await textOfLink();
    if (carried !== null) return setText(carried);
  } catch {
    const said = document.createElement("p");
    said.className = "notice error";
    said.textContent = "The text in this link is damaged and could not be read. Ask for the link again.";
    return problem.replaceChildren(said);
  }
  const asked = new URLSearchParams(location.search).get("text")?.replace(/\r\n?/g, "\n");
  if (asked?.includes("\0") && text.value === asked.replaceAll("\0", "\uFFFD")) text.value = asked;
}

applyIds();
restore();
