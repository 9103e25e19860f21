// The budget page: working it out while someone types, the numbers of a model, keys.

import { settle, startFailures } from "./answers.js";
import { present } from "./appearance.js";
import { announce } from "./clipboard.js";
import { onKey } from "./keys.js";
import { forget, startMemory } from "./memory.js";
import { startOutputs } from "./outputs.js";
import { restore, restoreFirst } from "./restore.js";
import { boxed, followState, longBoxes } from "./share.js";

const PAUSE_MS = 150;
const LONG_PAUSE_MS = 700;
const LONG_UNITS = 20_000;
const STALE_AFTER_MS = 100;
const BOXES = ["text", "system_text", "tool_text"];

longBoxes(BOXES);

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const notKept = document.getElementById("not-kept");
const boxes = BOXES.map((name) => document.getElementById(name));

// htmx writes every request that a newer one replaced to the console as an error; here that is how typing works.
htmx.logger = (_element, name, detail) => {
  if (detail.xhr?.status === 0 && (name === "htmx:sendAbort" || name === "htmx:afterRequest")) delete detail.error;
};

let timer = 0;
let staleTimer = 0;
let edits = 0;
let sent = 0;
let inAddress = true;

function run(pause = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger(form, "tokboard:run"), pause);
}

function edited() {
  edits += 1;
  form.dataset.ahead = "1";
  inAddress = false;
  if (boxes.every((box) => box.value === "")) forget();
}

form.addEventListener("input", (event) => {
  edited();
  const long = boxes.some((box) => box.value.length > LONG_UNITS);
  run(event.target.matches("select") ? 0 : long ? LONG_PAUSE_MS : PAUSE_MS);
});
startMemory(() => (inAddress ? "" : boxed()));

function markStale(stale) {
  clearTimeout(staleTimer);
  result.classList.toggle("stale", stale);
}

const isRun = (element) => element === form;
document.addEventListener("htmx:configRequest", (event) => {
  if (isRun(event.detail.elt)) sent = edits;
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isRun(event.detail.elt)) return;
  clearTimeout(staleTimer);
  staleTimer = setTimeout(() => markStale(true), STALE_AFTER_MS);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (isRun(event.detail.elt) && event.detail.xhr.status !== 0) markStale(!event.detail.successful);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target === result) arrived(true);
});
document.addEventListener("htmx:oobAfterSwap", markTroubles);
startFailures(isRun, () => markStale(true));

function arrived(fresh) {
  settle();
  markStale(false);
  if (edits === sent) delete form.dataset.ahead;
  markTroubles();
  const state = document.getElementById("state");
  if (!state) return;
  followState(state, boxed, (held) => {
    notKept.hidden = held;
    inAddress = held && !form.dataset.ahead;
  });
  if (!fresh) return;
  const wrong = [...document.querySelectorAll(".trouble")].map((place) => place.textContent.trim()).filter(Boolean);
  announce([document.getElementById("verdict").textContent.trim(), ...wrong].join(". "), 900);
}

// A field with a complaint beside it says so; a number gives way to the text that is counted in its place.
function markTroubles() {
  for (const place of document.querySelectorAll(".trouble")) {
    const field = document.getElementById(place.id.replace("problem-", ""));
    if (place.childElementCount) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }
  for (const box of boxes) {
    const names = box.id === "tool_text" ? ["tool_first", "tool_next"] : [box.dataset.instead];
    for (const name of names) document.getElementById(name).classList.toggle("replaced", box.value !== "");
  }
}

startOutputs(form, () => run());

// ---- a model's numbers

for (const button of document.querySelectorAll("[data-values]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    for (const [name, value] of Object.entries(JSON.parse(button.dataset.values))) document.getElementById(name).value = value;
    edited();
    run();
  });
}

// An example is a link; it takes along the tokenizer that is chosen now.
for (const sample of document.querySelectorAll("[data-sample]")) {
  sample.addEventListener("click", () => {
    const to = new URL(sample.href);
    to.searchParams.set("tokenizer", document.getElementById("tokenizer").value);
    sample.href = to;
  });
}

// ---- keys

form.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || target.closest("details.menu[open]")) return;
  if (key === "Escape" && target.matches("input, textarea")) return document.getElementById("verdict")?.focus();
  const by = { ArrowUp: 1, ArrowDown: -1 }[key];
  if (!by || !target.matches(".number") || !/^[\d,_ ]*$/.test(target.value)) return;
  event.preventDefault();
  const { least, most } = target.dataset;
  const next = Number(target.value.replace(/\D/g, "")) + by * (event.shiftKey ? 100 : 1);
  target.value = Math.min(Math.max(next, Number(least)), Number(most));
  edited();
  run(PAUSE_MS);
});
onKey("/", () => {
  present(false);
  document.getElementById("context").focus();
});

// ---- the beginning

function setBoxes(packed) {
  const values = new URLSearchParams(packed);
  for (const box of boxes) {
    box.value = values.get(box.id) ?? "";
    box.closest("details").open ||= box.value !== "";
  }
  edited();
  run();
}

addEventListener("hashchange", () => restore(text, setBoxes));
arrived(false);
restoreFirst(text, setBoxes);
