// Shows the content of a request or of a response.
import { button, h } from "./dom.js";
import { decoded, pretty, sizeOf } from "./text.js";

/** How many bytes of content that is not text are shown. */
const shownBytes = 512;
/** How many characters of text are shown at first: browsers take long for more. */
const shownCharacters = 100_000;
/** The largest content that is decoded; a few bytes may stand for gigabytes. */
const mostDecoded = 16_000_000;

/** The content without its coding, as far as it goes if it is cut off; null if the coding cannot be removed. */
export async function uncoded(content, coding, { isCut = false } = {}) {
  const format = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate" }[coding?.trim().toLowerCase()];
  if (!coding || coding === "identity") return content;
  if (!format) return null;
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const parts = [];
  let count = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      count += next.value.length;
      if (count > mostDecoded) {
        reader.cancel().catch(() => {});
        return null;
      }
    }
  } catch {
    // The end is missing from what is cut off; what came before counts.
    if (!isCut || count === 0) return null;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The value of a field; null if there is none. */
export const fieldOf = (headers, name) =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? null;

/** Header fields as a table without borders. */
export function fieldList(headers, title) {
  if (headers.length === 0) return h("p", { class: "quiet" }, "No header fields.");
  return h("dl", { class: "code fields", "aria-label": title }, headers.map(
    ([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * The content with its size and type, in a readable form or as it is; `whole` is its size where only the beginning is
 * there.
 */
export async function contentOf(title, content, headers, whole = content.length) {
  if (whole === 0) return h("p", { class: "quiet" }, "No content.");
  const coding = fieldOf(headers, "content-encoding");
  const isCut = content.length < whole;
  const plain = await uncoded(content, coding, { isCut }) ?? content;
  const text = decoded(plain, { isCut });
  const block = h("pre", { tabindex: 0, "aria-label": title });
  const facts = [sizeOf(whole), isCut ? `the first ${sizeOf(content.length)} are kept` : null, coding,
    fieldOf(headers, "content-type") ?? "no type"].filter(Boolean).join(" · ");
  const line = h("p", { class: "tools" }, h("span", { class: "quiet" }, facts));
  if (text === null) {
    block.textContent = hexadecimal(plain);
    return h("div", {}, line, block);
  }
  const readable = pretty(text);
  const all = button("Show all", () => {
    all.hidden = true;
    show();
    block.focus();
  }, { hidden: Math.max(text.length, readable.length) <= shownCharacters });
  const toggle = button("Raw", () => {
    toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
    show();
  }, { "aria-pressed": "false" });
  function show() {
    const shown = toggle.getAttribute("aria-pressed") === "true" ? text : readable;
    block.textContent = all.hidden ? shown : `${shown.slice(0, shownCharacters)}…`;
  }
  if (readable !== text) line.append(toggle);
  line.append(all);
  show();
  return h("div", {}, line, block);
}

function hexadecimal(bytes) {
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, shownBytes); start += 16) {
    const part = [...bytes.subarray(start, start + 16)];
    const codes = part.map((it) => it.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    const signs = part.map((it) => (it >= 32 && it < 127 ? String.fromCharCode(it) : ".")).join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${codes}  ${signs}`);
  }
  if (bytes.length > shownBytes) lines.push(`… ${bytes.length - shownBytes} more bytes`);
  return lines.join("\n");
}
