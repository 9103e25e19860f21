// The text that a page begins with: what was left in the box, what the link carries, or what HTML could not hold.

import { complain } from "./answers.js";
import { kept } from "./memory.js";
import { textOfLink, TooLong } from "./share.js";

const DAMAGED = "The text in this link is damaged and could not be read. Ask for the link again.";
const LONG = "The text in this link is longer than this page takes, so it was not opened. Ask for a shorter text.";

export async function restore(box, setText) {
  try {
    const carried = await textOfLink(Number(box.dataset.packedLimit ?? box.dataset.limit));
    if (carried !== null) return setText(carried);
  } catch (error) {
    return complain(error instanceof TooLong ? LONG : DAMAGED);
  }
  const asked = new URLSearchParams(location.search).get("text")?.replace(/\r\n?/g, "\n");
  if (asked?.includes("\0") && box.value === asked.replaceAll("\0", "\uFFFD")) box.value = asked;
}

export function restoreFirst(box, setText) {
  const left = kept();
  if (left) setText(left);
  else restore(box, setText);
}
