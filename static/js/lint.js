// The lint page: checking while someone types, and the way from a finding to its line.

import { settle, startFailures } from "./answers.js";
import { announce } from "./clipboard.js";
import { present } from "./appearance.js";
import { onKey } from "./keys.js";
import { forget, kept, startMemory } from "./memory.js";
import { restore } from "./restore.js";
import { followState } from "./share.js";

const PAUSE_MS = 250;
const LONG_PAUSE_MS = 800;
const LONG_UNITS = 100_000;
const STALE_AFTER_MS = 100;

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const notKept = document.getElementById("not-kept");

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
  if (text.value === "") forget();
}

form.addEventListener("input", (event) => {
  edited();
  const pasted = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
  run(pasted ? 0 : text.value.length > LONG_UNITS ? LONG_PAUSE_MS : PAUSE_MS);
});
startMemory(() => (inAddress ? "" : text.value));

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
  if (event.detail.target === result) arrived();
});
startFailures(isRun, () => markStale(true));

function arrived() {
  settle();
  markStale(false);
  if (edits === sent) delete form.dataset.ahead;
  followState(
    document.getElementById("state"),
    () => text.value,
    (held) => {
      notKept.hidden = held;
      inAddress = held && !form.dataset.ahead;
    },
  );
  announce(document.getElementById("verdict").textContent.trim(), 900);
}

// A finding's line takes the focus; the fragment part of the address may hold the log, so it stays.
function goTo(row) {
  row.focus();
  row.scrollIntoView({ block: "center" });
}
result.addEventListener("click", (event) => {
  const link = event.target.closest(".lint-line[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(document.getElementById(link.hash.slice(1)));
});

function step(by) {
  const rows = [...result.querySelectorAll(".lint-row[tabindex]")];
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement);
  goTo(rows[at === -1 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length]);
}
onKey("n", () => step(1));
onKey("b", () => step(-1));
onKey("/", () => {
  present(false);
  text.focus();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing) result.querySelector(".lint-line[href]")?.focus();
});

function setText(value) {
  text.value = value;
  edited();
  run();
}
addEventListener("hashchange", () => restore(text, setText));
const left = kept();
if (left) setText(left);
else restore(text, setText);
