// Works on text: places in JSON, changed lines, commands of the shell.

/**
 * Reads JSON and gives the range of each value by its pointer, the offset of the name of each member, and the offset of
 * the first error or null.
 */
export function outline(text) {
  const [places, names] = [new Map(), new Map()];
  let at = 0;
  const skip = () => { while (/[ \t\n\r]/.test(text[at] ?? "")) at += 1; };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw at;
    at = pattern.lastIndex;
    return found[0];
  };
  const string = () => take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iy);
  const list = (end, element) => {
    at += 1;
    skip();
    if (text[at] === end) { at += 1; return; }
    for (let index = 0; ; index += 1) {
      skip();
      element(index);
      skip();
      if (text[at] === end) { at += 1; return; }
      take(/,/y);
    }
  };
  const value = (pointer) => {
    skip();
    const start = at;
    if (text[at] === "{") {
      list("}", () => {
        const start = at;
        const inner = `${pointer}/${JSON.parse(string()).replaceAll("~", "~0").replaceAll("/", "~1")}`;
        names.set(inner, start);
        skip();
        take(/:/y);
        value(inner);
      });
    } else if (text[at] === "[") list("]", (index) => value(`${pointer}/${index}`));
    else if (text[at] === '"') string();
    else take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    places.set(pointer, [start, at]);
  };
  try {
    value("");
    skip();
    return { places, names, error: at < text.length ? at : null };
  } catch (offset) {
    return { places, names, error: typeof offset === "number" ? offset : at };
  }
}

/** The range of the value at a pointer, or of what is nearest around it unless it must be this one. */
export function placeOf(text, pointer, isExact = false) {
  const { places } = outline(text);
  if (isExact) return places.get(pointer) ?? null;
  for (let rest = pointer; ; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    if (places.has(rest)) return places.get(rest);
    if (rest === "") return [0, 0];
  }
}

/** The spaces before the first sign of the line at an offset. */
const indentationAt = (text, offset) => /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))[0];

/** A document with this JSON as the value at a pointer; objects around it that are missing are made. */
export function setAt(text, pointer, json) {
  const { places } = outline(text);
  const at = places.get(pointer);
  if (at) {
    const shown = json.replaceAll("\n", `\n${indentationAt(text, at[0])}`);
    return text.slice(0, at[0]) + shown + text.slice(at[1]);
  }
  const [, parent, token] = /^(.*)\/([^/]*)$/.exec(pointer);
  if (!places.has(parent)) return setAt(setAt(text, parent, "{}"), pointer, json);
  const [start, end] = places.get(parent);
  const isList = text[start] === "[";
  const name = isList ? "" : `${JSON.stringify(token.replaceAll("~1", "/").replaceAll("~0", "~"))}: `;
  const outer = indentationAt(text, start);
  const inner = `\n${outer}  `;
  const before = text.slice(0, end - 1).trimEnd();
  const isEmpty = /[[{]$/.test(before) && before.length === start + 1;
  const isOneLine = !isEmpty && !json.includes("\n") && !text.slice(start, end).includes("\n");
  if (isOneLine) return `${before}, ${name}${json}${text.slice(before.length)}`;
  return `${before}${isEmpty ? "" : ","}${inner}${name}${json.replaceAll("\n", inner)}\n${outer}${text.slice(end - 1)}`;
}

/** A document without the value at a pointer. */
export function removedAt(text, pointer) {
  const { places, names } = outline(text);
  if (!places.has(pointer)) return text;
  const [own, end] = places.get(pointer);
  const start = names.get(pointer) ?? own;
  const rest = text.slice(end);
  const comma = /^\s*,\s*/.exec(rest);
  if (comma) return text.slice(0, start) + rest.slice(comma[0].length);
  const before = text.slice(0, start).trimEnd();
  if (before.endsWith(",")) return before.slice(0, -1) + rest;
  return before + rest.trimStart();
}

/** Whether a value has members. */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The stubs of a document, in order; what stands in place of one is an empty object. Null for what is not JSON. */
export function stubsOf(text) {
  try {
    const list = JSON.parse(text)?.stubs;
    return Array.isArray(list) ? list.map((it) => (isObject(it) ? it : {})) : [];
  } catch {
    return null;
  }
}

/** The keys of the stubs of a document, in order; empty for one that is not JSON. */
export const keysOf = (text) => (stubsOf(text) ?? []).map(({ key }) => key);

/** A document with one more stub at the end of its list. */
export function adding(stub, text) {
  const whole = placeOf(text, "/stubs", true) ? text : setAt(text, "/stubs", "[]");
  return setAt(whole, `/stubs/${keysOf(whole).length}`, stub);
}

/** The lines of two texts: `[kind, line]`, where a kind is "same", "old" or "new". */
export function changes(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let [start, tail] = [0, 0];
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  while (tail < old.length - start && tail < now.length - start
    && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const same = (line) => ["same", line];
  const middle = changedLines(
    old.slice(start, old.length - tail), now.slice(start, now.length - tail));
  return [
    ...now.slice(0, start).map(same), ...middle, ...now.slice(now.length - tail).map(same),
  ];
}

function changedLines(old, now) {
  const all = [...old.map((line) => ["old", line]), ...now.map((line) => ["new", line])];
  if (old.length * now.length > 1_000_000) return all;
  const common = old.map(() => new Uint16Array(now.length + 1));
  common.push(new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i][j] = old[i] === now[j]
        ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const result = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      result.push(["same", now[j]]);
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
      result.push(["old", old[i++]]);
    } else {
      result.push(["new", now[j++]]);
    }
  }
  return result;
}

/** Signs that a terminal takes as commands when a person pastes them. */
const controls = /[\0-\x09\x0b-\x1f\x7f-\x9f]/g;

/** A word as a shell reads it; the form for signs that a terminal would take is that of bash, zsh and POSIX.1-2024. */
function quoted(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word.search(controls) < 0) return `'${word.replaceAll("'", "'\\''")}'`;
  const octal = (sign) => Array.from(new TextEncoder().encode(sign), (it) => `\\${it.toString(8).padStart(3, "0")}`).join("");
  return `$'${word.replace(/[\\']/g, "\\$&").replace(controls, octal)}'`;
}

/** Bytes as base64. */
export function base64Of(bytes) {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs);
}

/** The largest content that is written into a command; Linux allows words of 128 KiB. */
const mostInCommand = 100_000;

/** A command that reads content from its standard input. */
function fed(content, command) {
  return `printf %s ${base64Of(content)} | base64 -d | ${command}`;
}

/** The fields that a client sets by itself. */
const ownFields = new Set([
  "accept-encoding", "connection", "content-length", "host", "keep-alive", "te",
  "transfer-encoding", "upgrade",
]);

/** The fields that curl adds by default. */
const curlFields = ["accept", "user-agent"];

const fieldsOf = (entry) => entry.headers.filter(([name]) => !ownFields.has(name.toLowerCase()));

/** Sends the request of an entry to the server again, just as it was. */
export function curlCommand(entry, baseURL) {
  const target = entry.url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const body = entry.content.length > 0;
  const words = ["curl", "--globoff", "--path-as-is"];
  // With another word for the method, curl would wait for content that an answer to HEAD does not have.
  if (entry.method === "HEAD") words.push("--head");
  else if (entry.method !== "GET" || body) words.push("-X", entry.method);
  words.push(baseURL + target);
  for (const [name, value] of fieldsOf(entry)) {
    words.push("-H", value === "" ? `${name};` : `${name}: ${value}`);
  }
  // The host decides which origin the request stands for.
  const host = entry.headers.find(([name]) => name.toLowerCase() === "host")?.[1];
  if (host && host !== new URL(baseURL).host) words.push("-H", `Host: ${host}`);
  const own = body ? [...curlFields, "content-type", "expect"] : curlFields;
  for (const name of own) {
    if (!entry.headers.some(([other]) => other.toLowerCase() === name)) words.push("-H", `${name}:`);
  }
  // Curl sends no content with --head.
  const isSent = body && entry.method !== "HEAD";
  const text = textForCommand(entry.content);
  if (isSent) words.push(...(text === null ? ["--data-binary", "@-"] : ["--data-raw", text]));
  const command = words.map(quoted).join(" ");
  return isSent && text === null ? fed(entry.content, command) : command;
}

/** Content as a word of a command; null for what has to come from elsewhere: words are text without NUL. */
function textForCommand(content) {
  const text = content.length <= mostInCommand ? decoded(content) : null;
  return text?.includes("\0") ? null : text;
}

/** Asks on the command line which stub answers the request of an entry. */
export function matchCommand(scenario, entry) {
  const { content } = entry;
  const text = textForCommand(content);
  const words = ["stubdb", "match", scenario, entry.method, entry.url];
  for (const [name, value] of fieldsOf(entry)) words.push("-H", `${name}: ${value}`);
  // A text that begins with @ would name a file, and one that begins with a dash an option.
  if (content.length > 0) words.push(text === null ? "--data=@-" : `--data=${text.startsWith("@") ? "@" : ""}${text}`);
  const command = words.map(quoted).join(" ");
  return content.length > 0 && text === null ? fed(content, command) : command;
}

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
