// Times, sizes, addresses and contents as people read them.

const digits = (number, count) => String(number).padStart(count, "0");

/** The time of day of a date, where the browser is. */
export function timeOfDay(text) {
  const date = new Date(text);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${parts.map((it) => digits(it, 2)).join(":")}.${digits(date.getMilliseconds(), 3)}`;
}

/** The day of a date with a space behind it, where the browser is; empty for today. */
export function dayOf(text) {
  const [date, today] = [new Date(text), new Date()];
  if (date.toDateString() === today.toDateString()) return "";
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)} `;
}

/** A time that something took; empty if it is not known. */
export function duration(milliseconds) {
  if (milliseconds === null) return "";
  return milliseconds < 1000
    ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** A size in bytes, readable. */
export function sizeOf(count) {
  if (count < 1000) return `${count} ${count === 1 ? "byte" : "bytes"}`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** The parts of a URL that are shown apart: the origin, empty for none, the path, and the query with its sign. */
export function partsOf(url) {
  const [, origin, path, query] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(url);
  return { origin: origin ?? "", path: path || "/", query };
}

const phrases = {
  101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
  301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
  308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
  404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
  413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content", 426: "Upgrade Required",
  429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
  503: "Service Unavailable", 504: "Gateway Timeout",
};
const classes = ["", "Informational", "Success", "Redirection", "Client Error", "Server Error"];

/** The words for a status, or for its class; empty for none. */
export const phraseOf = (status) => phrases[status] ?? classes[Math.floor((status ?? 0) / 100)] ?? "";

/** Bytes as base64. */
export function base64Of(bytes) {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs);
}

/** Content as text, each byte of it; null if it is not text. What is cut off may end within a character. */
export function decoded(content, { isCut = false } = {}) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content, { stream: isCut });
  } catch {
    return null;
  }
}

/** JSON with lines and indentation, its numbers and names as they are; anything else as it is. */
export function pretty(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let [depth, result] = [0, ""];
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === "{" || token === "[") {
      depth += 1;
      result += token + line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      result += line() + token;
    } else if (token === ",") result += token + line();
    else result += token === ":" ? ": " : token.replace(/^([{[])\s+/, "$1");
  }
  return result;
}
