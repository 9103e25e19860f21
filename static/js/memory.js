// A text that the address does not hold survives leaving the page and coming back: this tab's session storage keeps it,
// one text for each entry of the history, until the box is emptied or the tab is closed.

const PREFIX = "tokboard.text.";
const LIMIT_UNITS = 2_000_000;

function entry() {
  if (!history.state?.box) history.replaceState({ ...history.state, box: crypto.getRandomValues(new Uint32Array(2)).join("-") }, "");
  return PREFIX + history.state.box;
}

function mine() {
  return Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
}

export function forget() {
  try {
    for (const name of mine()) sessionStorage.removeItem(name);
  } catch {
    // Storage may be forbidden: then nothing was kept.
  }
}

function keep(text) {
  try {
    const here = entry();
    sessionStorage.removeItem(here);
    if (!text || text.length > LIMIT_UNITS) return;
    const others = mine();
    const size = others.reduce((sum, name) => sum + sessionStorage.getItem(name).length, text.length);
    if (size > LIMIT_UNITS) for (const name of others) sessionStorage.removeItem(name);
    sessionStorage.setItem(here, text);
  } catch {
    // No room or forbidden: the text is lost with the page, as without this.
  }
}

// The text that was in the box when this entry of the history was left; null where there is none.
export function kept() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!["back_forward", "reload"].includes(navigation?.type)) return null;
  try {
    return sessionStorage.getItem(entry());
  } catch {
    return null;
  }
}

// `unsaved()`: the text of the box where the address does not hold it, else "".
export function startMemory(unsaved) {
  entry();
  addEventListener("hashchange", entry);
  addEventListener("pagehide", () => keep(unsaved()));
}
