// The stream lab: input, player, strategies side by side, cut fuzzer, copies.

import { post, Refusal, settle, startFailures } from "./answers.js";
import { present } from "./appearance.js";
import { announce } from "./clipboard.js";
import { isTyping, onKey } from "./keys.js";
import { forget, startMemory } from "./memory.js";
import { startOutputs } from "./outputs.js";
import { Pipeline } from "./pipeline.js";
import { restore, restoreFirst } from "./restore.js";
import { boxed, followState, longBoxes, setInState } from "./share.js";
import { startFuzz } from "./stream-fuzz.js";
import { Player } from "./stream-player.js";

const TYPING_PAUSE_MS = 200;
const LONG_TYPING_PAUSE_MS = 700;
const LONG_TEXT_UNITS = 20_000;
const STALE_AFTER_MS = 100;
const BOXES = ["text", "stops", "definitions"];

longBoxes(BOXES);

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const step = document.getElementById("step");
const notKept = document.getElementById("not-kept");
const cut = document.getElementById("cut");
const number = document.getElementById("n");

// htmx writes every request that a newer one replaced to the console as an error; here that is how typing works.
htmx.logger = (_element, name, detail) => {
  if (detail.xhr?.status === 0 && (name === "htmx:sendAbort" || name === "htmx:afterRequest")) delete detail.error;
};

// A request takes long where the output is long: nothing is given up before the server's own limit.
htmx.config.timeout = 120_000;

const compare = new Pipeline(document.getElementById("compare"), document.getElementById("compared"));
const fuzz = startFuzz(document.getElementById("fuzz"), document.getElementById("fuzzed"), replay);
const player = new Player(document.getElementById("player"), () => [...new FormData(form)], moved);

// ---- the present, in the address too

let settled = 0;

function moved(at, total) {
  step.value = at === total ? "" : at;
  const state = document.getElementById("state");
  if (!state) return;
  setInState(state, "step", at === total ? 0 : at);
  clearTimeout(settled);
  if (!player.playing && !form.dataset.ahead) settled = setTimeout(() => follow(state), 200);
}

// ---- running

let timer = 0;
let staleTimer = 0;
let edits = 0;
let sent = 0;
let inAddress = true;

function run(pause = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger(form, "tokboard:run"), pause);
}

// The input is another: what is shown goes back to the end, and the address no longer holds it.
function edited(keepStep = false) {
  edits += 1;
  form.dataset.ahead = "1";
  inAddress = false;
  player.pause();
  if (!keepStep) step.value = "";
  if (BOXES.every((name) => document.getElementById(name).value === "")) forget();
}

form.addEventListener("input", (event) => {
  if (!isTyping(event.target) || event.target.matches("select")) return;
  edited();
  const pasted = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
  run(pasted ? 0 : text.value.length > LONG_TEXT_UNITS ? LONG_TYPING_PAUSE_MS : TYPING_PAUSE_MS);
});
// The strategy's choice stands outside the form.
document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.form !== form || (isTyping(target) && !target.matches("select"))) return;
  // The same deltas by another strategy: the present stays where it is.
  edited(target.id === "strategy");
  run();
});

function labelNumber() {
  const means = cut.selectedOptions[0].dataset.number;
  number.hidden = !means;
  number.placeholder = means;
}
cut.addEventListener("change", () => {
  number.value = "";
  labelNumber();
});

// One cell of the fuzzer: its strategy and cut, in the lanes.
function replay(value) {
  const [strategy, kind, n] = value.split(":");
  document.getElementById("strategy").value = strategy;
  cut.value = kind;
  number.value = n;
  labelNumber();
  edited();
  keepFuzz = true;
  run();
  document.getElementById("player").scrollIntoView({ block: "start" });
}
// A replay does not change the ids: the strip stays what it was.
let keepFuzz = false;

document.addEventListener("htmx:configRequest", (event) => {
  if (isRun(event.detail.elt)) sent = edits;
});
startMemory(() => (inAddress ? "" : boxed()));

function markStale(stale) {
  clearTimeout(staleTimer);
  result.classList.toggle("stale", stale);
  if (stale) {
    compare.outdated();
    if (!keepFuzz) fuzz.outdated();
  }
}

// The form, or the second half of a long output's result, which asks by itself.
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

// ---- a result has come

let wordsOpen = false;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target === result) wordsOpen = document.getElementById("words")?.open ?? false;
});
// htmx says it once for each element that came.
let latest = null;

document.addEventListener("htmx:afterSwap", (event) => {
  const { target, xhr } = event.detail;
  if (target !== result || xhr === latest) return;
  latest = xhr;
  arrived(true);
});

function arrived(fresh) {
  settle();
  markStale(false);
  if (edits === sent) delete form.dataset.ahead;
  const state = document.getElementById("state");
  if (!state) return;
  if (wordsOpen) document.getElementById("words").open = true;
  // The end of a stream that has just come is not scrolled to: its beginning is what is read first.
  player.refresh(step.value === "");
  markTroubles();
  if (state.querySelector(".pending")) return;
  setInState(state, "step", step.value === "" ? 0 : player.at);
  follow(state);
  if (!fresh) return;
  const wrong = [...document.querySelectorAll(".trouble")].map((place) => place.textContent.trim()).filter(Boolean);
  announce([document.querySelector("#state .meaning").textContent, ...wrong].join(" "), 900);
  compare.follow();
  if (!keepFuzz) fuzz.outdated();
  keepFuzz = false;
}

function follow(state) {
  if (state.querySelector(".pending")) return;
  followState(state, boxed, (held) => {
    notKept.hidden = held;
    inAddress = held && !form.dataset.ahead;
  });
}

// A field with a complaint beside it says so to whoever does not see it.
function markTroubles() {
  for (const place of document.querySelectorAll(".trouble")) {
    const field = document.getElementById(place.id.replace("problem-", ""));
    if (place.childElementCount) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }
}
document.addEventListener("htmx:oobAfterSwap", markTroubles);

// ---- copies and downloads

startOutputs(
  form,
  () => run(),
  async (fields, kind) => {
    const answer = await post(`/stream/${kind}`, new FormData(fields), "Nothing was copied; try again.");
    try {
      return await answer.text();
    } catch {
      throw new Refusal("The answer broke off on its way. Nothing was copied; try again.");
    }
  },
);

// A sample is a link; it takes along the tokenizer that is chosen now.
for (const sample of document.querySelectorAll("[data-sample]")) {
  sample.addEventListener("click", () => {
    const to = new URL(sample.href);
    to.searchParams.set("tokenizer", document.getElementById("tokenizer").value);
    sample.href = to;
  });
}

// ---- keys

text.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  document.getElementById("lanes")?.focus();
});
onKey("/", () => {
  present(false);
  text.focus();
});
onKey("s", () => compare.toggle());
onKey("f", () => fuzz.toggle());

// Arrows and Space walk and play from wherever they have no use of their own.
const WALK = {
  ArrowLeft: () => player.manual(player.wanted - 1),
  ArrowRight: () => player.manual(player.wanted + 1),
  Home: () => player.manual(1),
  End: () => player.manual(player.total),
  " ": () => player.toggle(),
};
document.addEventListener("keydown", (event) => {
  const run = WALK[event.key];
  const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (!run || held || event.defaultPrevented || event.isComposing || !player.window) return;
  const { target } = event;
  if (isTyping(target) || target.closest("dialog, details.menu[open], .strip, .cells")) return;
  if (event.key === " " && target.closest("button, summary, a, label, input")) return;
  event.preventDefault();
  run();
});
document.addEventListener("tokboard:present", (event) => {
  if (event.detail) document.getElementById("lanes")?.focus({ preventScroll: true });
  // Everything has another size now.
  if (player.window) player.draw(step.value === "");
});

// ---- the beginning

function setBoxes(packed) {
  const values = new URLSearchParams(packed);
  for (const name of BOXES) document.getElementById(name).value = values.get(name) ?? "";
  document.getElementById("tool-definitions").open ||= values.has("definitions");
  edited(true);
  run();
}

step.value = new URLSearchParams(location.search).get("step") ?? "";
labelNumber();
addEventListener("hashchange", () => restore(text, setBoxes));
arrived(false);
restoreFirst(text, setBoxes);
