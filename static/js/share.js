// Links. Short text stands in the query; long text travels compressed in the fragment part, which no server ever sees.

import { copyFrom } from "./clipboard.js";
import { onKey } from "./keys.js";

const MARK = "#z=";

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
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
let pending = 0;

// After a result: the address follows (unless the text is too long for it), links to other pages carry the state.
export function followState(state) {
  const { query, long } = state.dataset;
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = query;
  clearTimeout(pending);
  pending = setTimeout(() => {
    const to = long === "1" ? address(query ? `${query}&text=` : "text=") : address(query || "text=");
    if (location.pathname + location.search !== to || location.hash.startsWith(MARK)) history.replaceState(null, "", to);
  }, 400);
}

async function link(state, text) {
  if (!state) return location.href;
  const { query, long } = state.dataset;
  const base = location.origin + location.pathname;
  if (long !== "1") return query ? `${base}?${query}` : base;
  return `${base}?${query ? `${query}&` : ""}text=${MARK}${await pack(text)}`;
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
