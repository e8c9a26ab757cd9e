// Shows the content of a request or of a response.
import { button, fill, h } from "./dom.js";
import { decoded, pretty, sizeOf } from "./text.js";

/** How many bytes of content that is not text are shown. */
const shownBytes = 512;

/** The content without its coding; null if that cannot be removed. */
export async function uncoded(content, coding) {
  const format = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate" }[coding?.trim().toLowerCase()];
  if (!coding || coding === "identity") return content;
  if (!format) return null;
  try {
    const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream(format));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return null;
  }
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
  const plain = await uncoded(content, coding) ?? content;
  const isCut = content.length < whole;
  const text = decoded(plain) ?? (isCut ? decoded(plain.slice(0, -3)) : null);
  const block = h("pre", { tabindex: 0, "aria-label": title });
  const facts = [sizeOf(whole), isCut ? `the first ${sizeOf(content.length)} are kept` : null, coding,
    fieldOf(headers, "content-type") ?? "no type"].filter(Boolean).join(" · ");
  const line = h("p", { class: "tools" }, h("span", { class: "quiet" }, facts));
  if (text === null) {
    block.textContent = hexadecimal(plain);
    return h("div", {}, line, block);
  }
  const readable = pretty(text);
  const toggle = button("Raw", () => {
    const isRaw = toggle.getAttribute("aria-pressed") !== "true";
    toggle.setAttribute("aria-pressed", String(isRaw));
    block.textContent = isRaw ? text : readable;
  }, { "aria-pressed": "false" });
  if (readable !== text) line.append(toggle);
  block.textContent = readable;
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
