// What may stand at a place of a document, by its schema.
import { get } from "./api.js";

let schema = null;

/** The schema of documents; read once. */
function read() {
  schema ??= get("page/schema.json").catch((error) => {
    schema = null;
    throw error;
  });
  return schema;
}

/** What may stand at an offset: the range that it replaces, and the items; null for nothing. */
export async function propose(text, at, isAsked) {
  const place = placeAt(text, at);
  if (!place || (!isAsked && !place.isTyped)) return null;
  const root = await read().catch(() => null);
  if (!root) return null;
  const schemas = schemasAt(root, place.path);
  const items = place.isName ? namesOf(root, schemas, place) : valuesOf(root, schemas);
  const word = place.word.toLowerCase();
  const found = items.filter(({ label }) => label.toLowerCase().startsWith(word) && (isAsked || label !== place.word));
  return { from: place.from, to: place.to, items: found.slice(0, 50) };
}

/**
 * Where an offset is: the members that lead there, whether a name or a value stands there, the range of the word and
 * which names the object has. It reads what stands before, which need not be complete.
 */
function placeAt(text, at) {
  const stack = [];
  let [isName, name, start] = [false, null, null];
  for (let index = 0; index < at; index += 1) {
    const sign = text[index];
    const top = stack.at(-1);
    if (sign === '"') {
      const end = endOfString(text, index);
      if (end > at || (end === at && text[at - 1] !== '"')) { start = index; break; }
      if (isName) name = text.slice(index + 1, end - 1);
      if (isName && top) top.names.push(name);
      index = end - 1;
    } else if (sign === "{" || sign === "[") {
      stack.push({ isObject: sign === "{", step: name, index: 0, names: [] });
      [isName, name] = [sign === "{", null];
    } else if (sign === "}" || sign === "]") {
      stack.pop();
      isName = false;
    } else if (sign === ":") isName = false;
    else if (sign === "," && top) {
      top.index += 1;
      [isName, name] = [top.isObject, null];
    }
  }
  const top = stack.at(-1);
  if (!top) return null;
  const path = stack.slice(1).map((it, index) => (stack[index].isObject ? it.step : "*"));
  if (!isName) path.push(top.isObject ? name : "*");
  if (path.includes(null)) return null;
  const from = start ?? at - /[\w.-]*$/.exec(text.slice(0, at))[0].length;
  const word = text.slice(start === null ? from : from + 1, at);
  const rest = start === null ? 0 : /^[^"\n]*"?/.exec(text.slice(at))[0].length;
  // A quotation mark with a word behind it begins another string.
  const isClosed = start !== null && rest > 0 && text[at + rest - 1] === '"' && !/\w/.test(text[at + rest] ?? "");
  return {
    path, isName, word, from, to: isClosed ? at + rest : at, isTyped: start !== null || word !== "",
    names: top.names, next: /^\s*(\S?)/.exec(text.slice(isClosed ? at + rest : at))[1],
  };
}

function endOfString(text, start) {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index + 1;
    else if (text[index] === "\n") return index;
  }
  return text.length;
}

const resolved = (root, it) => (it?.$ref ? { ...root.$defs[it.$ref.slice(8)], ...it, $ref: undefined } : it);

/** A schema with all that it may be instead. */
function variants(root, it, depth = 0) {
  const own = resolved(root, it);
  if (!own || typeof own !== "object" || depth > 6) return [];
  const others = [...(own.oneOf ?? []), ...(own.anyOf ?? []), ...(own.allOf ?? [])];
  return [own, ...others.flatMap((other) => variants(root, other, depth + 1))];
}

/** The schemas of the value that the steps lead to. */
function schemasAt(root, path) {
  let found = variants(root, root);
  for (const step of path) {
    found = found.flatMap((it) => {
      if (step === "*") return it.items ? variants(root, it.items) : [];
      const next = it.properties?.[step] ?? (it.additionalProperties || null);
      return next && next !== true ? variants(root, next) : [];
    });
  }
  return found;
}

function namesOf(root, schemas, { names, next }) {
  const found = new Map();
  for (const { properties } of schemas) {
    for (const [name, it] of Object.entries(properties ?? {})) {
      if (it === false || names.includes(name) || found.has(name)) continue;
      found.set(name, { label: name, about: resolved(root, it).description, ...nameText(root, name, it, next) });
    }
  }
  return [...found.values()].sort((one, other) => (one.label < other.label ? -1 : 1));
}

/** The text for a name, with the beginning of its value; the caret goes back into it. */
function nameText(root, name, it, next) {
  if (next === ":") return { text: `"${name}"` };
  const types = variants(root, it).map(({ type }) => type).filter(Boolean);
  const [open, back] = { object: ["{}", 1], array: ["[]", 1], string: ['""', 1], boolean: ["true", 0] }[types[0]] ?? ["", 0];
  const comma = next === '"' ? "," : "";
  return { text: `"${name}": ${open}${comma}`, back: back + comma.length };
}

function valuesOf(root, schemas) {
  const found = new Map();
  for (const it of schemas) {
    const values = [...(it.enum ?? []), ...("const" in it ? [it.const] : []),
      ...(it.type === "boolean" ? [true, false] : [])];
    for (const value of values) found.set(String(value), { label: String(value), text: JSON.stringify(value), about: null });
  }
  return [...found.values()];
}
