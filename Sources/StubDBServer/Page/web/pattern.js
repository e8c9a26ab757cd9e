// What a stub asks for that answers one request of the journal and no other: the same as the `stubdb add` of the report on
// an unmatched request writes, except that values that look like secrets stay as they came.
import { readable } from "./api.js";
import { fieldOf } from "./content.js";
import { isObject } from "./document.js";

/** The longest URL, and the longest text, that the command repeats; a stub leaves longer ones free. */
const longest = { url: 2_000, text: 4_000 };
/** The methods whose requests have no content, so that a stub need not say so. */
const withoutContent = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);
const sizeOf = (text) => new TextEncoder().encode(text).length;

/**
 * The request of a stub: its members without the JSON that the content must equal, that JSON as it came or null, and what
 * the stub leaves free. `misses` are the nearest stubs: of the header fields it asks for those alone that tell the
 * request from one of theirs. `isQueryFree` is for a stub that answers whatever the query.
 */
export async function patternOf(entry, misses, isQueryFree = false) {
  const url = urlOf(entry.url, isQueryFree);
  const fields = fieldsOf(entry.headers, misses);
  const content = await contentPattern(entry);
  const isEmptyMeant = entry.content.length === 0 && !withoutContent.has(entry.method);
  const body = isEmptyMeant ? { absent: true } : content.body;
  const request = {
    ...(/^any$/i.test(entry.method) ? {} : { method: entry.method }), url: url.text,
    ...(url.isExact ? { queryIsExact: true } : {}),
    ...(fields.size > 0 ? { headers: Object.fromEntries(fields) } : {}), ...(body ? { body } : {}),
  };
  return {
    request, json: content.json,
    free: [...(url.isExact || isQueryFree ? [] : ["query"]), ...content.free],
  };
}

/** A URL without its query, in which nothing stands for any text. */
export const templateOf = (url) => {
  const place = url.replace(/[?#].*$/s, "").replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1");
  return place.split("/").map((it) => (it === "**" ? "%2A%2A" : withoutBraces(it))).join("/");
};

const withoutBraces = (text) => text.replaceAll("{", "%7B").replaceAll("}", "%7D");

/** A query of parameters as they are written; empty for none. */
export const queryOf = (items) => (items.length > 0 ? `?${withoutBraces(items.join("&"))}` : "");

/** The URL to ask for, and whether other parameters than its own are refused. */
function urlOf(url, isQueryFree) {
  const text = templateOf(url);
  const items = (/\?([^#]*)/.exec(url.replace(/#.*$/s, ""))?.[1] ?? "").split("&").filter(Boolean);
  const query = queryOf(items);
  if (isQueryFree || sizeOf(text + query) > longest.url) return { text, isExact: false };
  return { text: text + query, isExact: true };
}

/** The values of a header field, in order. */
export const valuesOf = (headers, name) => headers
  .filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

/** The values of the header fields that alone tell the request from one that a near stub answers. */
function fieldsOf(headers, misses) {
  const nameOf = ({ part }) => /^header (.+)$/.exec(part)?.[1] ?? null;
  const names = new Map();
  for (const { mismatches } of misses) {
    if (!mismatches.every(nameOf)) continue;
    for (const name of mismatches.map(nameOf)) {
      if ([...names.keys()].some((it) => it.toLowerCase() === name.toLowerCase())) continue;
      const values = valuesOf(headers, name);
      if (values.some((it) => sizeOf(it) > longest.text)) continue;
      names.set(name, values.length === 0 ? { absent: true } : values.length === 1 ? values[0] : values);
    }
  }
  return names;
}

/**
 * What content must be: its pattern, the JSON in place of one that it must equal, as it came, and what is free. Both are
 * null for none.
 */
export async function contentPattern({ content, text, headers }) {
  const is = (body, { json = null, free = [] } = {}) => ({ body, json, free });
  if (content.length === 0) return is(null);
  const type = fieldOf(headers, "content-type") ?? "";
  const parts = /^\s*multipart\//i.test(type) ? await partsOf(content, type) : null;
  if (parts) return is({ multipart: parts.patterns, isExact: true }, { free: parts.free });
  // A client makes a new boundary for each request.
  const isReadable = text !== null && content.length <= longest.text && !/^\s*multipart\//i.test(type);
  if (!isReadable) return is(null, { free: ["content"] });
  if (isExpectable(text)) return is(null, { json: text.trim() });
  return is({ equalTo: text });
}

/** Whether a text is an object or an array, and no part of it would stand for other values in a pattern. */
function isExpectable(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !hasPlaceholder(value);
  } catch {
    return false;
  }
}

function hasPlaceholder(value) {
  if (typeof value === "string") {
    const [, name, rest] = /^[$#]\{json-unit\.([^}]*)\}(.*)$/s.exec(value) ?? [];
    return name !== undefined && (rest === "" || name === "regex");
  }
  if (Array.isArray(value)) return value.some(hasPlaceholder);
  return isObject(value) && Object.values(value).some(hasPlaceholder);
}

/** Patterns for the parts of a form, and what they leave free; null for what a browser does not read as one. */
async function partsOf(content, type) {
  let form;
  try {
    form = await new Response(content, { headers: { "Content-Type": type } }).formData();
  } catch {
    return null;
  }
  const free = [];
  const patterns = [];
  for (const [name, value] of form) {
    const isFile = typeof value !== "string";
    const text = isFile ? await value.text() : value;
    const isShown = sizeOf(text) <= longest.text && !/[\0-\x1f\x7f\ufffd]/.test(text);
    if (!isShown) free.push(`part ${name}`);
    patterns.push({ name, ...(isFile ? { filename: value.name } : {}), ...(isShown ? { body: { equalTo: text } } : {}) });
  }
  return { patterns, free };
}

/** The key that such a stub gets: of the method and the last words of the path, and of no other stub. */
export function unusedKey({ method }, url, keys) {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/\?.*$/s, "");
  const words = path.split("/").filter(Boolean).map(readable).filter((it) => !(sizeOf(it) >= 16 && looksRandom(it)));
  const name = shortened(wordOf([/^any$/i.test(method) ? "any" : method, ...words.slice(-2)].join("-")) || "stub");
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}-${number}`;
    if (!keys.includes(key)) return key;
  }
}

/** Whether a text is rather an identifier than a word: of digits, or of both cases and a digit. */
function looksRandom(text) {
  const digits = text.match(/[0-9]/g)?.length ?? 0;
  return digits * 5 >= sizeOf(text) || (digits > 0 && /[A-Z]/.test(text) && /[a-z]/.test(text));
}

/** A text as a key: `Cart & Co: Größe` becomes `cart-co-grosse`. */
const wordOf = (text) => text.normalize("NFD").replaceAll("ß", "ss").toLowerCase().replace(/[\u0300-\u036f]/g, "")
  .replace(/[^a-z0-9._]+/g, "-").replace(/-+$/, "").replace(/^[.-]+/, "").slice(0, 100);

/** Better without the last word than with a part of it. */
function shortened(key) {
  if (key.length <= 80) return key;
  const start = key.slice(0, 80);
  return start.slice(0, start.includes("-") ? start.lastIndexOf("-") : 80);
}
