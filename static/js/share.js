// Links. Short text stands in the query; long text travels compressed in the fragment part, which no server ever sees.

import { copyFrom } from "./clipboard.js";
import { onKey } from "./keys.js";

// What is in the fragment part: one text, or several fields as a query.
const MARK = "#z=";
const FIELDS_MARK = "#f=";
const PAUSE_MS = 400;
// How long a packed text the address bar is given; above it a reload does not bring the text back, and the page says so.
const ADDRESS_LIMIT = 32_000;

// The boxes that may be too long for a query; a page with several of them says so.
let boxes = ["text"];
export const longBoxes = (names) => {
  boxes = names;
};
const mark = () => (boxes.length > 1 ? FIELDS_MARK : MARK);

// What the boxes hold, as a link packs it; "" where all are empty.
export function boxed() {
  const values = boxes.map((name) => document.getElementById(name)?.value ?? "");
  if (boxes.length === 1) return values[0];
  return String(new URLSearchParams(boxes.map((name, at) => [name, values[at]]).filter(([, value]) => value)));
}

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

export class TooLong extends Error {}

// Throws TooLong above `limit` bytes of text: a short link can hold a text that no tab has room for.
export async function unpack(packed, limit) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const found = await through(new DecompressionStream("deflate-raw"), bytes, limit);
  if (found === null) throw new TooLong("the text is too long");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(found);
}

// The text that a link carries in its fragment part; null where there is none, throws where it is damaged or too long.
export async function textOfLink(limit) {
  return location.hash.startsWith(mark()) ? unpack(location.hash.slice(mark().length), limit) : null;
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
  const { query, long, carry = query } = state.dataset;
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = carry;
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
    show(address(withoutText(query)) + (packed === null ? "" : mark() + packed));
    kept(packed !== null);
  }, PAUSE_MS);
}

// A display choice that the server need not hear of: the link keeps it all the same.
export function setInState(state, name, value) {
  const others = state.dataset.query.split("&").filter((pair) => pair && !pair.startsWith(`${name}=`));
  state.dataset.query = [...others, ...(value ? [`${name}=${Number(value)}`] : [])].join("&");
}

// The box is ahead of the result: every field as it stands, without knowing what the server would leave out.
async function linkOfForm(form) {
  const fields = new FormData(form);
  const limit = Number(form.elements.text.dataset.limit);
  if (new TextEncoder().encode(fields.get("text")).length > limit) throw new Error("the text is longer than this page takes");
  const text = boxed();
  for (const name of boxes) fields.set(name, "");
  return `${location.origin}${location.pathname}?${new URLSearchParams(fields)}${text ? mark() + (await pack(text)) : ""}`;
}

async function link(state, text) {
  const form = document.getElementById("input");
  if (form?.dataset.ahead) return linkOfForm(form);
  if (!state) return location.href;
  const { query, long } = state.dataset;
  const base = location.origin + location.pathname;
  if (long !== "1") return query ? `${base}?${query}` : base;
  return `${base}?${withoutText(query)}${mark()}${await pack(text)}`;
}

export function startShare() {
  const button = document.getElementById("copy-link");
  const copyLink = () => {
    const made = link(document.getElementById("state"), boxed());
    copyFrom(button, made, "Link copied");
  };
  button.addEventListener("click", copyLink);
  onKey("c", copyLink);
}
