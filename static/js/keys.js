// Single-letter keys: they never fire while someone types, with a modifier held, or when switched off in the help.

import { remember, remembered } from "./settings.js";

const actions = new Map();

export function onKey(key, run) {
  actions.set(key, run);
}

export function isTyping(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox]):not([type=radio]), [contenteditable]") ?? false;
}

export function startKeys() {
  const dialog = document.getElementById("help");
  const enabled = document.getElementById("keys-enabled");
  enabled.checked = remembered("keys", "on") === "on";
  enabled.addEventListener("change", () => remember("keys", enabled.checked ? "on" : "off"));

  const openHelp = () => dialog.open || dialog.showModal();
  document.getElementById("open-help").addEventListener("click", openHelp);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  onKey("?", openHelp);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (!enabled.checked || dialog.open || isTyping(event.target)) return;
    const run = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!run) return;
    event.preventDefault();
    run();
  });
}

// Menus are <details>: they open and close without this; Escape and a click elsewhere close them too.
export function startMenus() {
  const close = (menu, refocus) => {
    menu.open = false;
    if (refocus) menu.querySelector("summary").focus();
  };
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      const chosen = event.target.closest(".menu-list a, .menu-list button");
      // What is chosen goes out of sight with the menu: its focus goes back to where it came from.
      if (!menu.contains(event.target) || chosen) close(menu, menu.contains(document.activeElement));
    }
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.("details.menu[open]");
    if (!menu) return;
    const items = [...menu.querySelectorAll(".menu-list a, .menu-list button")];
    const at = items.indexOf(document.activeElement);
    if (event.key === "Escape") close(menu, true);
    else if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length].focus();
    else return;
    event.preventDefault();
  });
}
