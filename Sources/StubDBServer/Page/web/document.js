// Places in JSON, and changes of a document that leave the rest of its text as it is.

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
  const [start, end] = places.get(parent) ?? [];
  // Something else in place of an object gives way to one.
  if (!/[[{]/.test(text[start] ?? "")) return setAt(setAt(text, parent, "{}"), pointer, json);
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
