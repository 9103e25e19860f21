// Theme and presenter mode.

import { onKey } from "./keys.js";
import { remember, remembered } from "./settings.js";

const root = document.documentElement;
const THEMES = ["auto", "light", "dark", "projector"];

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
    applyTheme(theme);
  };
  select.addEventListener("change", () => choose(select.value));
  onKey("t", () => choose(THEMES[(THEMES.indexOf(select.value) + 1) % THEMES.length]));
}

function startPresenter() {
  const button = document.getElementById("present");
  const bar = document.getElementById("presenter-bar");
  document.getElementById("presenter-address").textContent = location.origin + "/";
  const present = (on) => {
    root.toggleAttribute("data-presenting", on);
    applyTheme(on ? "projector" : remembered("theme", "auto"));
    bar.hidden = !on;
    button.setAttribute("aria-pressed", String(on));
    if (on) scrollTo(0, 0);
    else if (bar.contains(document.activeElement)) button.focus();
    document.dispatchEvent(new CustomEvent("tokboard:present", { detail: on }));
  };
  const presenting = () => root.hasAttribute("data-presenting");
  button.addEventListener("click", () => present(true));
  document.getElementById("presenter-leave").addEventListener("click", () => present(false));
  onKey("p", () => present(!presenting()));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && presenting() && !document.querySelector("dialog[open]")) present(false);
  });
}

export function startAppearance() {
  startTheme();
  startPresenter();
}
