// Theme and presenter mode.

import { announce } from "./clipboard.js";
import { onKey } from "./keys.js";
import { remember, remembered } from "./settings.js";

const root = document.documentElement;
const THEMES = ["auto", "light", "dark", "projector"];
// An address that only this machine can reach is of no use to a room.
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

function applyTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

function startTheme() {
  const select = document.getElementById("theme");
  select.value = remembered("theme", "auto");
  const choose = (theme) => {
    select.value = theme;
    remember("theme", theme);
    // Presenting keeps the projector's look; the choice shows when it ends.
    if (!presenting()) applyTheme(theme);
  };
  select.addEventListener("change", () => choose(select.value));
  onKey("t", () => {
    choose(THEMES[(THEMES.indexOf(select.value) + 1) % THEMES.length]);
    announce(`Theme${presenting() ? " after presenting" : ""}: ${select.selectedOptions[0].textContent}`);
  });
}

export const presenting = () => root.hasAttribute("data-presenting");

// Pages listen for tokboard:present and put the focus where their keys act.
export function present(on) {
  if (on === presenting()) return;
  const button = document.getElementById("present");
  const bar = document.getElementById("presenter-bar");
  const refocus = !on && bar.contains(document.activeElement);
  root.toggleAttribute("data-presenting", on);
  applyTheme(on ? "projector" : remembered("theme", "auto"));
  bar.hidden = !on;
  button.setAttribute("aria-pressed", String(on));
  if (on) scrollTo(0, 0);
  else if (refocus) button.focus();
  document.dispatchEvent(new CustomEvent("tokboard:present", { detail: on }));
  const focused = document.activeElement;
  if (on && (focused === document.body || !focused.checkVisibility())) document.getElementById("presenter-leave").focus();
}

function startPresenter() {
  const address = document.getElementById("presenter-address");
  address.textContent = location.host;
  address.hidden = LOOPBACK.test(location.hostname);
  document.getElementById("present").addEventListener("click", () => present(true));
  document.getElementById("presenter-leave").addEventListener("click", () => present(false));
  onKey("p", () => present(!presenting()));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    present(false);
  });
}

export function startAppearance() {
  startTheme();
  startPresenter();
}
