// Copying, also where the page is served over plain HTTP in a classroom and navigator.clipboard is missing.

function copyByCommand(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "vh";
  const focused = document.activeElement;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus({ preventScroll: true });
  if (!done) throw new Error("copying was refused");
}

// `text` may be a promise: the clipboard is asked at once, while the click still counts as the user's.
export async function copy(text) {
  if (navigator.clipboard?.write && window.ClipboardItem) {
    try {
      const blob = Promise.resolve(text).then((value) => new Blob([value], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
      return;
    } catch {
      // Refused or unsupported: the older way may still work.
    }
  }
  copyByCommand(await text);
}

// Says on the button itself what happened, and tells screen readers through the live region.
export async function copyFrom(button, text, said) {
  const label = button.querySelector(".label") ?? button;
  const before = label.dataset.before ?? label.textContent;
  label.dataset.before = before;
  let outcome = "Copied";
  let cause = "Copying was refused by the browser";
  try {
    await copy(text);
  } catch (error) {
    outcome = "Not copied";
    // What could not be made was not refused by the browser.
    await Promise.resolve(text).catch(() => {
      cause = `Not copied: ${error.message}`;
    });
  }
  label.textContent = outcome;
  button.classList.toggle("done", outcome === "Copied");
  announce(outcome === "Copied" ? said : cause);
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    label.textContent = before;
    button.classList.remove("done");
  }, 1600);
}

let pending = 0;

export function announce(text, delay = 0) {
  clearTimeout(pending);
  pending = setTimeout(() => {
    document.getElementById("announce").textContent = text;
  }, delay);
}
