// From a name in the prompt, a row of the bill or a warning to the field or line it speaks of.

export function showTarget(id) {
  let target = document.getElementById(id);
  // A field that is not drawn: the message, or where messages are shown as JSON all of them.
  const message = id.match(/^m-\d+/)?.[0];
  if (!target && message) target = document.getElementById(message) ?? document.getElementById("messages");
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (target.matches("details")) target.open = true;
  const inner = target.querySelector(target.matches(".turn") ? "textarea[id$=content]" : ".field > .box > textarea, :scope > .box > textarea");
  const isField = target.matches(".turn, .field");
  const wanted = (isField && inner) || (target.matches("details") ? target.querySelector("summary") : target);
  if (!wanted.matches("textarea, summary, input, select") && !wanted.hasAttribute("tabindex")) wanted.tabIndex = -1;
  wanted.focus({ preventScroll: true });
  target.scrollIntoView({ block: target.matches(".source-line") ? "center" : "nearest" });
}
