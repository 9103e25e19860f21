// The chat lab: messages typed as fields or as JSON, buttons that change them, the prompt that follows.

import { post, Refusal, settle, startFailures } from "./answers.js";
import { present } from "./appearance.js";
import { announce, copyFrom } from "./clipboard.js";
import { isTyping, onKey } from "./keys.js";
import { forget, startMemory } from "./memory.js";
import { startOutputs } from "./outputs.js";
import { restore, restoreFirst } from "./restore.js";
import { boxed, followState, longBoxes } from "./share.js";
import { showTarget } from "./chat-ways.js";

const TYPING_PAUSE_MS = 250;
const LONG_TYPING_PAUSE_MS = 900;
const LONG_UNITS = 60_000;
const STALE_AFTER_MS = 150;
const BOXES = ["messages", "tools", "template", "extra"];

longBoxes(BOXES);

const form = document.getElementById("input");
const text = document.getElementById("text");
const result = document.getElementById("result");
const notKept = document.getElementById("not-kept");
const byId = (id) => document.getElementById(id);

// htmx writes every request that a newer one replaced to the console as an error; here that is how typing works.
htmx.logger = (_element, name, detail) => {
  if (detail.xhr?.status === 0 && (name === "htmx:sendAbort" || name === "htmx:afterRequest")) delete detail.error;
};
// Slow templates have their own limits on the server.
htmx.config.timeout = 60_000;

// ---- running

let timer = 0;
let staleTimer = 0;
let edits = 0;
let sent = 0;
let inAddress = true;
// The button that was pressed, until its request has gone.
let action = "";

const asFields = () => byId("edited")?.value === "form";

function run(pause = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger(form, "tokboard:run"), pause);
}

function edited() {
  edits += 1;
  // A link is made of the boxes where they are ahead of the result; of fields only the server makes JSON.
  if (!asFields()) form.dataset.ahead = "1";
  inAddress = false;
  if (!asFields() && BOXES.every((name) => byId(name).value === "")) forget();
}

function act(what) {
  action = what;
  edited();
  run();
}

document.addEventListener("input", (event) => {
  const { target } = event;
  if (target.form !== form || !isTyping(target) || target.matches("select")) return;
  edited();
  const pasted = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
  run(pasted ? 0 : target.value.length > LONG_UNITS ? LONG_TYPING_PAUSE_MS : TYPING_PAUSE_MS);
});
document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.form !== form || (isTyping(target) && !target.matches("select"))) return;
  if (target.id === "source" && target.value === "pasted") byId("template-fold").open = true;
  if (target.hasAttribute("data-draws")) return act("draw");
  edited();
  run();
});
form.addEventListener(
  "submit",
  (event) => {
    if (event.submitter?.name === "do") action = event.submitter.value;
    if (action) edited();
  },
  true,
);
form.addEventListener("htmx:configRequest", (event) => {
  const { parameters } = event.detail;
  if (action) parameters.do = action;
  action = "";
  // The fields say it all: what they were made of need not go along.
  if (parameters.edited === "form") delete parameters.messages;
  sent = edits;
});
startMemory(() => (inAddress ? "" : boxed()));

function markStale(stale) {
  clearTimeout(staleTimer);
  result.classList.toggle("stale", stale);
}

const isRun = (element) => element === form;

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

// ---- a result has come: what was open stays open, what was scrolled stays there

const PANELS = ["notes", "template-panel", "spans"];
const SCROLLED = ["prompt"];
let wereOpen = [];
let scrolled = {};

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target !== result) return;
  wereOpen = PANELS.filter((id) => byId(id)?.open);
  scrolled = Object.fromEntries(SCROLLED.map((id) => [id, byId(id)?.scrollTop ?? 0]));
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target === result) arrived(true);
});

function arrived(fresh) {
  settle();
  markStale(false);
  if (edits === sent) delete form.dataset.ahead;
  const state = byId("state");
  if (!state) return;
  for (const id of wereOpen) if (byId(id)) byId(id).open = true;
  for (const [id, top] of Object.entries(scrolled)) if (byId(id)) byId(id).scrollTop = top;
  markTroubles();
  follow(state);
  if (!fresh) return;
  const wanted = state.dataset.focus && byId(state.dataset.focus);
  if (wanted) {
    wanted.closest("details:not([open])")?.setAttribute("open", "");
    wanted.focus();
  }
  const said = state.querySelector(".problem-what, .meaning")?.textContent ?? "";
  const count = document.querySelector("#warnings-title")?.textContent ?? "";
  const wrong = [...document.querySelectorAll(".trouble")].map((place) => place.textContent.trim()).filter(Boolean);
  announce([said, count, ...wrong].filter(Boolean).join(" "), 900);
}

function follow(state) {
  followState(state, boxed, (held) => {
    notKept.hidden = held;
    inAddress = held && edits === sent;
  });
  // To this very page the conversation goes along, not the prompt.
  document.querySelector("a[data-carry][aria-current]").search = state.dataset.query;
}

// A field with a complaint beside it says so to whoever does not see it.
function markTroubles() {
  for (const place of document.querySelectorAll(".trouble")) {
    const field = byId(place.id.replace("problem-", ""));
    if (place.childElementCount) {
      field?.setAttribute("aria-invalid", "true");
      field?.closest("details")?.setAttribute("open", "");
    } else field?.removeAttribute("aria-invalid");
  }
}
document.addEventListener("htmx:oobAfterSwap", markTroubles);

// ---- copies and downloads

startOutputs(form, () => run());

async function made(fields, kind) {
  const answer = await post("/chat.json", new FormData(fields), "Nothing was copied; try again.");
  try {
    const body = await answer.json();
    return kind === "ids" ? JSON.stringify(body.prompt_token_ids) : body.prompt;
  } catch {
    throw new Refusal("The answer broke off on its way. Nothing was copied; try again.");
  }
}

// The copy buttons are drawn anew with each result.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-take]");
  if (!button) return;
  const taken = made(form, button.dataset.take);
  taken.catch((refusal) => refusal.show());
  copyFrom(button, taken, button.dataset.said);
});

// ---- ways about the page

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // The fragment part of the address may hold the conversation, so it stays.
  event.preventDefault();
  present(false);
  showTarget(link.hash.slice(1));
});

for (const sample of document.querySelectorAll("[data-sample]")) {
  sample.addEventListener("click", () => {
    const to = new URL(sample.href);
    to.searchParams.set("tokenizer", byId("tokenizer").value);
    sample.href = to;
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  if (event.target.form === form && isTyping(event.target)) byId("prompt")?.focus();
});
onKey("/", () => {
  present(false);
  (form.querySelector(".editor .turn textarea[id$=content]") ?? byId("messages")).focus();
});
onKey("v", () => document.querySelector(".editor [name=view]:not(:checked)")?.click());
onKey("i", () => byId("show-tokens")?.click());
onKey("b", () => showTarget("bill-title"));
onKey("d", () => byId("against")?.focus());
onKey("l", () => {
  const panel = byId("template-panel");
  panel.open = !panel.open;
  if (panel.open) panel.scrollIntoView({ block: "nearest" });
});
document.addEventListener("tokboard:present", (event) => {
  if (event.detail) byId("prompt")?.focus({ preventScroll: true });
});

// ---- the beginning

function setBoxes(packed) {
  const values = new URLSearchParams(packed);
  for (const name of BOXES) byId(name).value = values.get(name) ?? "";
  for (const [name, fold] of [["tools", "tools-fold"], ["template", "template-fold"], ["extra", "settings-fold"]]) {
    if (values.get(name)) byId(fold).open = true;
  }
  // What the fields show is not what came: the JSON counts, and the fields are drawn from it.
  byId("edited").value = "json";
  act("draw");
}

addEventListener("hashchange", () => restore(text, setBoxes));
arrived(false);
restoreFirst(text, setBoxes);
