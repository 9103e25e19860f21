// The player: one step of the stream is the present; lanes, sentence and message follow it. Steps come in windows that
// the server draws; the present walks from one to the next.

import { failure, isOwnProblem, complain, settle } from "./answers.js";
import { announce } from "./clipboard.js";
import { remember, remembered } from "./settings.js";
import { assemble, draw, parts } from "./stream-message.js";

const SLOW_MS = 100;

export class Player {
  // `fields()`: what the server needs to make the stream anew; `moved(step, total)`: the present is elsewhere.
  constructor(root, fields, moved) {
    this.root = root;
    this.fields = fields;
    this.moved = moved;
    this.timer = 0;
    // Where the present is to be: ahead of where it is while a window is on its way.
    this.wanted = 0;
    this.loading = false;
    const on = (id, run) => document.getElementById(id).addEventListener("click", run);
    on("to-first", () => this.manual(1));
    on("to-back", () => this.manual(this.wanted - 1));
    on("to-forward", () => this.manual(this.wanted + 1));
    on("to-last", () => this.manual(this.total));
    on("play", () => this.toggle());
    this.scrub = document.getElementById("scrub");
    this.scrub.addEventListener("input", () => this.manual(Number(this.scrub.value), false));
    this.speed = document.getElementById("speed");
    this.speed.value = remembered("speed", this.speed.value);
    if (!this.speed.value) this.speed.value = "2";
    this.speed.addEventListener("change", () => remember("speed", this.speed.value));
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button.step");
      if (!button) return;
      event.preventDefault();
      this.manual(Number(button.value));
    });
  }

  get playing() {
    return this.root.hasAttribute("data-playing");
  }

  get total() {
    return Number(this.window?.dataset.total ?? 0);
  }

  // Reads the window that has just come; `still`: without bringing the present into view.
  refresh(still = false) {
    this.window = document.getElementById("window");
    if (!this.window) return this.pause();
    const { dataset } = this.window;
    this.at = Number(dataset.at);
    if (!this.loading) this.wanted = this.at;
    this.start = Number(dataset.start);
    this.stop = Number(dataset.stop);
    this.base = JSON.parse(dataset.base);
    this.names = JSON.parse(dataset.names);
    this.columns = [];
    for (const row of this.window.querySelectorAll(".lanes tr")) {
      [...row.cells].slice(1).forEach((cell, index) => (this.columns[index] ??= []).push(cell));
    }
    this.steps = [...this.window.querySelectorAll(".lane-deltas td")].map((cell) =>
      [...cell.querySelectorAll("code")].map((code) => JSON.parse(code.textContent)),
    );
    this.sentences = [...this.window.querySelectorAll("#words li")];
    this.scrub.max = dataset.total;
    this.draw(still);
  }

  // One step by hand: playing ends, and what happens is said.
  async manual(step, said = true) {
    this.pause();
    await this.go(step);
    if (said) announce(document.getElementById("sentence").textContent, 150);
  }

  // Whether the step could be shown.
  async go(step) {
    if (!this.window) return false;
    this.wanted = Math.min(Math.max(step, 1), this.total);
    // Who waits for a window goes on to the latest wish when it has come.
    if (this.loading) return true;
    this.loading = true;
    let shown = true;
    while (shown && (this.wanted < this.start || this.wanted > this.stop)) shown = await this.load(this.wanted);
    this.loading = false;
    if (!shown) {
      this.wanted = this.at;
      return false;
    }
    this.at = this.wanted;
    this.draw();
    this.moved(this.at, this.total);
    return true;
  }

  draw(still = false) {
    const index = this.at - this.start;
    this.columns.forEach((cells, place) => {
      for (const cell of cells) {
        cell.classList.toggle("current", place === index);
        cell.classList.toggle("future", place > index);
      }
      const button = cells[0].firstElementChild;
      button.tabIndex = place === index ? 0 : -1;
      if (place === index) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      this.sentences[place].toggleAttribute("aria-current", place === index);
    });
    document.getElementById("sentence-words").textContent = this.sentences[index].querySelector(".step-words").textContent;
    const place = `Step ${this.at.toLocaleString("en")} of ${this.total.toLocaleString("en")}`;
    document.querySelector(".sentence-step").textContent = `${place}.`;
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", place);
    const before = assemble(this.base, this.steps.slice(0, index).flat());
    const now = assemble(this.base, this.steps.slice(0, index + 1).flat());
    const { omitted } = this.base;
    draw(document.getElementById("message"), parts(now, omitted), parts(before, omitted), this.names);
    if (!still) this.reveal(this.columns[index][0]);
  }

  // Scrolls the lanes, never the page, so far that the column is seen beside the lane's names.
  reveal(cell) {
    const box = document.getElementById("lanes");
    const names = box.querySelector(".lane").offsetWidth;
    const room = box.clientWidth - names;
    const left = cell.offsetLeft - names;
    if (left < box.scrollLeft) box.scrollLeft = left - room / 4;
    else if (left + cell.offsetWidth > box.scrollLeft + room) box.scrollLeft = left + cell.offsetWidth - (room * 3) / 4;
  }

  toggle() {
    if (this.playing) {
      this.pause();
      announce("Paused");
    } else this.play();
  }

  async play() {
    if (!this.window || this.total < 2) return;
    this.root.setAttribute("data-playing", "");
    this.label("Pause");
    if (this.at === this.total) await this.go(1);
    this.tick();
  }

  tick() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!this.playing) return;
      const shown = await this.go(this.at + 1);
      if (!shown || this.at === this.total) this.pause();
      else if (this.playing) this.tick();
    }, 1000 / Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.root.removeAttribute("data-playing");
    this.label("Play");
    this.moved(this.at, this.total);
  }

  label(word) {
    document.querySelector("#play .label").textContent = word;
    document.getElementById("play").title = `${word} (Space)`;
  }

  // The window around a step: by its key, or by the whole form where the server no longer has it.
  async load(step) {
    const old = this.window;
    const slow = setTimeout(() => old.classList.add("stale"), SLOW_MS);
    try {
      let answer = await ask([["key", old.dataset.key], ["step", step]]);
      if (answer.status === 410) answer = await ask([...this.fields().filter(([name]) => name !== "step"), ["step", step]]);
      const html = await answer.text();
      if (old !== document.getElementById("window")) return false;
      if (!answer.ok || !html.includes('id="window"')) {
        if (isOwnProblem(html)) document.getElementById("problem").innerHTML = html;
        else complain(failure(answer.status, "The steps shown are still right; move again to ask for the others."));
        return false;
      }
      const open = document.getElementById("words").open;
      const focused = document.activeElement?.id === "lanes" || document.activeElement?.classList.contains("step");
      old.outerHTML = html;
      document.getElementById("words").open = open;
      settle();
      this.refresh();
      if (focused) document.getElementById("lanes").focus({ preventScroll: true });
      return true;
    } catch {
      complain(failure(0, "The steps shown are still right; move again to ask for the others."));
      return false;
    } finally {
      clearTimeout(slow);
      old.classList.remove("stale");
    }
  }
}

const ask = (fields) =>
  fetch("/stream/window", { method: "POST", body: new URLSearchParams(fields), headers: { "HX-Request": "true" } });
