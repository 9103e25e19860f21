// What a client does with deltas: strings are appended, calls go by their index. And the drawing of what it has.

// In code points, as the server counts.
const SHOWN_CHARACTERS = 1_500;

function append(whole, delta) {
  for (const [name, value] of Object.entries(delta)) {
    if (value === null) continue;
    if (name === "tool_calls") {
      whole.tool_calls ??= [];
      for (const part of value) {
        const known = whole.tool_calls.find((call) => call.index === part.index);
        if (known) append(known, part);
        else whole.tool_calls.push(structuredClone(part));
      }
    } else if (name === "index" || name === "type" || !(name in whole)) whole[name] = structuredClone(value);
    else if (typeof value === "string") whole[name] += value;
    else if (typeof value === "object") append(whole[name], value);
  }
}

// `base`: the message so far, of which only the ends of long texts were sent, and how much came before those.
export function assemble(base, deltas) {
  const message = structuredClone(base.message);
  for (const delta of deltas) append(message, delta);
  return message;
}

// The texts of a message in the order they are drawn: kind, title, note, text, characters that were not sent.
export function parts(message, omitted) {
  const found = [];
  for (const [kind, title] of [["reasoning_content", "reasoning"], ["content", "content"]]) {
    if (message[kind]) found.push({ kind, title, note: "", text: message[kind], earlier: omitted[kind] ?? 0 });
  }
  for (const call of message.tool_calls ?? []) {
    const text = call.function?.arguments ?? "";
    const earlier = omitted[`call ${call.index}`] ?? 0;
    const whole = earlier === 0 && isJson(text);
    const note = `id ${call.id}, arguments ${whole ? "are JSON" : "not whole yet"}`;
    found.push({ kind: "tool_calls", title: `call ${call.index}: ${call.function?.name}`, note, text, earlier });
  }
  return found;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function element(name, css, text) {
  const made = document.createElement(name);
  if (css) made.className = css;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Text with its hidden characters drawn, as the server draws them; `names`: character → [sign, name].
function visible(characters, names) {
  const made = document.createDocumentFragment();
  let plain = "";
  const flush = () => {
    if (plain) made.append(plain);
    plain = "";
  };
  for (const character of characters) {
    const css = { " ": "sp", "\n": "nl", "\t": "tab" }[character] ?? (Object.hasOwn(names, character) ? "nm" : "");
    if (!css) {
      plain += character;
      continue;
    }
    flush();
    const sign = element("i", css, css === "sp" ? " " : css === "nm" ? names[character][0] : undefined);
    if (css === "nm") sign.title = names[character][1];
    made.append(sign);
  }
  flush();
  return made;
}

// Redraws `root`; what `before` did not have yet is marked.
export function draw(root, now, before, names) {
  if (!now.length) return root.replaceChildren(element("p", "soft", "Nothing yet."));
  const known = new Map(before.map((part) => [part.kind + part.title, [...part.text].length]));
  root.replaceChildren(
    ...now.map((part) => {
      const box = element("div", "part");
      box.dataset.kind = part.kind;
      const title = element("h3", "part-title", part.title);
      if (part.note) title.append(" ", element("span", "part-note", part.note));
      const text = element("p", "part-text");
      text.dir = "auto";
      const old = known.get(part.kind + part.title) ?? 0;
      const characters = [...part.text];
      const from = Math.max(0, characters.length - SHOWN_CHARACTERS);
      const earlier = part.earlier + from;
      if (earlier) text.append(element("span", "soft", `… ${earlier.toLocaleString("en")} earlier characters `));
      text.append(visible(characters.slice(from, old), names));
      if (characters.length > old) {
        const fresh = element("mark", "fresh");
        fresh.append(visible(characters.slice(Math.max(old, from)), names));
        text.append(fresh);
      }
      box.append(title, text);
      return box;
    }),
  );
}
