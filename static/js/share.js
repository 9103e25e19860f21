// Links. Short text stands in the query; long text travels compressed in the fragment part, which no server ever sees.

import { copyFrom } from "./clipboard.js";
import { onKey } from "./keys.js";

const MARK = "#z=";
const PAUSE_MS = 400;
// How long a packed text the address bar is given; above it a reload does not bring the text back, and the page says so.
const ADDRESS_LIMIT = 32_000;

// The bytes of a stream, null once there are more than `limit`: what is behind is then not read at all.
async function through(stream, bytes, limit = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size <= limit) continue;
    reader.cancel();
    return null;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// null where the packed text would be longer than `limit` characters.
export async function pack(text, limit = Infinity) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), (limit * 3) / 4);
  if (bytes === null) return null;
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// The text that a link carries in its fragment part; null where there is none, throws where it is damaged.
export async function textOfLink() {
  return location.hash.startsWith(MARK) ? unpack(location.hash.slice(MARK.length)) : null;
}

const address = (query) => location.pathname + (query ? `?${query}` : "");
const withoutText = (query) => (query ? `${query}&text=` : "text=");
let pending = 0;
let latest = 0;

function show(to) {
  if (location.pathname + location.search + location.hash !== to) history.replaceState(history.state, "", to);
}

// After a result: links to other pages carry the state, and the address follows, so that a reload brings it back.
// `kept` is told whether it will: a text that is too long for the query goes into the fragment part, up to a limit.
export function followState(state, text, kept) {
  const { query, long } = state.dataset;
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = query;
  clearTimeout(pending);
  latest += 1;
  const mine = latest;
  pending = setTimeout(async () => {
    if (long !== "1") {
      show(address(query || "text="));
      return kept(true);
    }
    // Compressing goes on beside typing, in small parts; a text that has changed meanwhile wins.
    const packed = await pack(text(), ADDRESS_LIMIT);
    if (mine !== latest) return;
    show(address(withoutText(query)) + (packed === null ? "" : MARK + packed));
    kept(packed !== null);
  }, PAUSE_MS);
}

// A display choice that the server need not hear of: the link keeps it all the same.
export function setInState(state, name, on) {
  const others = state.dataset.query.split("&").filter((pair) => pair && !pair.startsWith(`${name}=`));
  state.dataset.query = [...others, ...(on ? [`${name}=1`] : [])].join("&");
}

async function link(state, text) {
  if (!state) return location.href;
  const { query, long } = state.dataset;
  const base = location.origin + location.pathname;
  if (long !== "1") return query ? `${base}?${query}` : base;
  return `${base}?${withoutText(query)}${MARK}${await pack(text)}`;
}

export function startShare() {
  const button = document.getElementById("copy-link");
  const copyLink = () => {
    const made = link(document.getElementById("state"), document.getElementById("text")?.value ?? "");
    copyFrom(button, made, "Link copied");
  };
  button.addEventListener("click", copyLink);
  onKey("c", copyLink);
}
