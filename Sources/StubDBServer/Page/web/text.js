// Works on text: places in JSON, changed lines, commands of the shell.

/**
 * Reads JSON and gives the range of each value by its pointer, and the offset of the first error or null.
 */
export function outline(text) {
  const places = new Map();
  let at = 0;
  const skip = () => { while (/\s/.test(text[at] ?? "")) at += 1; };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw at;
    at = pattern.lastIndex;
    return found[0];
  };
  const string = () => take(/"(?:[^"\\\u0000-\u001f]|\\.)*"/y);
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
        const key = JSON.parse(string());
        skip();
        take(/:/y);
        value(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
      });
    } else if (text[at] === "[") list("]", (index) => value(`${pointer}/${index}`));
    else if (text[at] === '"') string();
    else take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    places.set(pointer, [start, at]);
  };
  try {
    value("");
    skip();
    return { places, error: at < text.length ? at : null };
  } catch (offset) {
    return { places, error: typeof offset === "number" ? offset : at };
  }
}

/** The range of the value at a pointer, or of what is nearest around it. */
export function placeOf(text, pointer) {
  const { places } = outline(text);
  for (let rest = pointer; ; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    if (places.has(rest)) return places.get(rest);
    if (rest === "") return [0, 0];
  }
}

/** A document with one more stub at the end of its list. */
export function adding(stub, text) {
  const [start, end] = placeOf(text, "/stubs");
  const isEmpty = /^\[\s*\]$/.test(text.slice(start, end));
  const before = text.slice(0, end - 1).trimEnd();
  const shown = stub.replaceAll("\n", "\n    ");
  return `${before}${isEmpty ? "" : ","}\n    ${shown}\n  ]${text.slice(end)}`;
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

const quoted = (word) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The fields that a client sets by itself. */
const ownFields = new Set([
  "accept-encoding", "connection", "content-length", "host", "keep-alive", "te",
  "transfer-encoding", "upgrade",
]);

/** The fields that curl adds unless it is told otherwise. */
const curlFields = ["accept", "user-agent"];

const fieldsOf = (entry) => entry.headers.filter(([name]) => !ownFields.has(name.toLowerCase()));

/** Sends the request of an entry to the server again, just as it was. */
export function curlCommand(entry, body, baseURL) {
  const target = entry.url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const words = ["curl", "--globoff", "--path-as-is"];
  // With another word for the method, curl would wait for content that an answer to HEAD does not have.
  if (entry.method === "HEAD") words.push("--head");
  else if (entry.method !== "GET" || body) words.push("-X", entry.method);
  words.push(baseURL + target);
  for (const [name, value] of fieldsOf(entry)) {
    words.push("-H", value === "" ? `${name};` : `${name}: ${value}`);
  }
  const own = body ? [...curlFields, "content-type", "expect"] : curlFields;
  for (const name of own) {
    if (!entry.headers.some(([other]) => other.toLowerCase() === name)) words.push("-H", `${name}:`);
  }
  if (body && entry.method !== "HEAD") words.push("--data-raw", body);
  return words.map(quoted).join(" ");
}

/** Asks on the command line which stub answers the request of an entry. */
export function matchCommand(scenario, entry, body) {
  const words = ["stubdb", "match", scenario, entry.method, entry.url];
  for (const [name, value] of fieldsOf(entry)) words.push("-H", `${name}: ${value}`);
  // A text that begins with @ would name a file, and one that begins with a dash an option.
  if (body) words.push(`--data=${body.startsWith("@") ? "@" : ""}${body}`);
  return words.map(quoted).join(" ");
}

const digits = (number, count) => String(number).padStart(count, "0");

/** The time of day of a date, where the browser is. */
export function timeOfDay(text) {
  const date = new Date(text);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${parts.map((it) => digits(it, 2)).join(":")}.${digits(date.getMilliseconds(), 3)}`;
}

/** A time that something took; empty if it is not known. */
export function duration(milliseconds) {
  if (milliseconds === null) return "";
  return milliseconds < 1000
    ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The content of a request as text; null if it is not text. */
export function decoded(content) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

/** JSON with lines and indentation, anything else as it is. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
