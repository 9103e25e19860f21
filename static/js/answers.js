// What the page says when the server refuses, fails or is silent. Words of our own server are shown as they are.

const problem = document.getElementById("problem");

const OWN = '<section class="problem"';
const AGAIN = "Your text is still here; it will be sent again when you type.";
const FAILURES = {
  0: "The server does not answer.",
  408: "The server did not answer in time.",
  413: "This text is too long for the server. Shorten it.",
  502: "The server cannot be reached behind its gateway.",
  503: "The server is too busy or is being restarted. Wait a moment.",
  504: "The server did not answer in time.",
};

export const isOwnProblem = (html) => html.trimStart().startsWith(OWN);

// `again`: how it goes on.
export function failure(status, again = AGAIN) {
  const other = status < 400 ? "The server's answer is empty or not Tokboard's." : `The server failed (status ${status}).`;
  return `${FAILURES[status] ?? other} ${again}`;
}

export function complain(words) {
  const said = document.createElement("p");
  said.className = "notice error";
  said.setAttribute("role", "alert");
  said.textContent = words;
  problem.replaceChildren(said);
}

export const settle = () => problem.replaceChildren();

// A request that brought nothing: `message` in words, and the server's own problem where it sent one.
export class Refusal extends Error {
  constructor(words, html = "") {
    super(words);
    this.html = html;
  }

  show() {
    if (this.html) problem.innerHTML = this.html;
    else complain(this.message);
    problem.scrollIntoView({ block: "nearest" });
  }
}

// Posts a form's fields; anything but a good answer is thrown as a Refusal.
export async function post(path, fields, again = "Try again.") {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { "HX-Request": "true" } });
  } catch {
    throw new Refusal(failure(0, again));
  }
  if (answer.ok) return answer;
  const html = await answer.text().catch(() => "");
  if (!isOwnProblem(html)) throw new Refusal(failure(answer.status, again));
  const shown = new DOMParser().parseFromString(html, "text/html");
  const [what, remedy] = ["what", "remedy"].map((part) => shown.querySelector(`.problem-${part}`)?.textContent ?? "");
  throw new Refusal(`${what} ${remedy}`.trim(), html);
}

const againFor = (element) => (element.closest?.("#pipeline") ? "Close and open the pipeline to ask again." : AGAIN);

// Nothing but a result replaces a result; a refusal of our own is shown as it is, anything else in words.
// `isRun(element)`: whether an element asks for a result; `stale()`: what is shown is no longer of the input.
export function startFailures(isRun, stale) {
  document.addEventListener("htmx:beforeSwap", (event) => {
    // Not detail.elt: htmx puts the target there.
    const { xhr, requestConfig } = event.detail;
    const { elt } = requestConfig;
    if (elt.closest?.(".more")) return;
    const failed = xhr.status >= 400;
    const result = isRun(elt) ? xhr.responseText.includes('id="state"') : xhr.responseText.trim() !== "";
    if (failed ? isOwnProblem(xhr.responseText) : result) return;
    event.detail.isError = true;
    event.detail.shouldSwap = false;
    complain(failure(xhr.status, againFor(elt)));
  });
  for (const [name, status] of [["htmx:sendError", 0], ["htmx:timeout", 408]]) {
    document.addEventListener(name, (event) => {
      const { elt } = event.detail;
      if (elt.closest?.(".more")) return;
      if (isRun(elt)) stale();
      complain(failure(status, againFor(elt)));
    });
  }
}
