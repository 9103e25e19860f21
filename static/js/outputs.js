// Copies and downloads of the box's text. A refusal stands in the page, which stays as it is.

import { post, Refusal, settle } from "./answers.js";
import { announce, copyFrom } from "./clipboard.js";

const SLOW_MS = 400;

// Says on the button that it takes a while.
function slowly(button, words) {
  const label = button.querySelector(".label") ?? button.lastChild;
  label.atRest ??= label.textContent;
  const timer = setTimeout(() => {
    label.textContent = words;
    announce(words);
  }, SLOW_MS);
  return () => {
    clearTimeout(timer);
    label.textContent = label.atRest;
  };
}

async function column(form, kind) {
  const answer = await post("/tokens.json", [...new FormData(form), ["rows", "0"]], "Nothing was copied; try again.");
  try {
    return JSON.stringify((await answer.json())[kind]);
  } catch {
    throw new Refusal("The answer broke off on its way. Nothing was copied; try again.");
  }
}

async function download(form, path) {
  const answer = await post(path, new FormData(form), "Nothing was saved; try again.");
  let blob;
  try {
    blob = await answer.blob();
  } catch {
    throw new Refusal("The file broke off on its way. Nothing was saved; try again.");
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = path.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// `run`: what a submit that asks for nothing else means, as Enter on a choice does. `make(form, kind)`: what is copied.
export function startOutputs(form, run, make = column) {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => {
      const kind = button.dataset.copy;
      const done = slowly(button, "Copying…");
      const made = make(form, kind).finally(done);
      made.then(settleOwn, (refusal) => say(refusal));
      copyFrom(button, made, button.dataset.said ?? `All ${kind} copied as JSON`);
    });
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const path = event.submitter?.getAttribute("formaction");
    if (!path) return run();
    if (!/\.(csv|json|sse)$/.test(path) || event.submitter.busy) return;
    const button = event.submitter;
    button.busy = true;
    const done = slowly(button, "Preparing…");
    try {
      await download(form, path);
      settleOwn();
    } catch (refusal) {
      say(refusal);
    }
    done();
    button.busy = false;
  });
}

// Only what an output complained of is taken back by a later one.
let complained = false;

function say(refusal) {
  if (!(refusal instanceof Refusal)) throw refusal;
  complained = true;
  refusal.show();
}

function settleOwn() {
  if (complained) settle();
  complained = false;
}
