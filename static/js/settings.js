// What this browser remembers: display choices only, never text.

const PREFIX = "tokboard.";

export function remembered(name, fallback) {
  try {
    return localStorage.getItem(PREFIX + name) ?? fallback;
  } catch {
    return fallback;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage may be forbidden: the choice holds for this page only.
  }
}
