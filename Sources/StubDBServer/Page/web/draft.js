// What a request of the journal becomes in the editor: a new stub, or a change of one that is near.
import { adding, keysOf, placeOf, removedAt, setAt } from "./text.js";
import { fieldOf, uncoded } from "./content.js";
import { decoded } from "./text.js";

/** Opens the editor with a stub for this very request, which answers as it was answered. */
export async function makeStub(entry, session, app, sent) {
  const response = sent && entry.matched ? await responseOf(sent) : { status: 200, json: {} };
  const request = { method: entry.method, url: entry.url };
  const raw = patternOf(entry, request);
  const text = (key) => JSON.stringify({ key, request, responses: [response.value ?? response] }, null, 2)
    // Numbers stay as they were sent, which JavaScript might round.
    .replace('"@content@"', () => raw ?? '"@content@"')
    .replace('"@answer@"', () => response.raw ?? '"@answer@"');
  open(app, session.scenario, entry, (document) => {
    const key = unusedKey(entry, keysOf(document));
    return { text: adding(text(key), document), key, said: "a stub was added" };
  });
}

/** Opens the editor with a stub of which each part that differs is changed to what the request has. */
export function changeStub(entry, miss, session, app) {
  open(app, miss.scenario, entry, (document) => {
    const index = keysOf(document).indexOf(miss.key);
    if (index < 0) return { text: document, key: null, said: "the stub is no longer there" };
    const base = `/stubs/${index}/request`;
    const text = miss.mismatches.reduce((it, { part }) => fitted(it, base, part, entry), document);
    return { text, key: miss.key, said: `“${miss.key}” was changed` };
  });
}

function open(app, scenario, entry, change) {
  app.draft = { scenario, entry, change };
  const hash = `#edit/${encodeURIComponent(scenario)}`;
  if (location.hash === hash) dispatchEvent(new Event("hashchange"));
  else location.hash = hash;
}

/** Adds what the content must be; the result is JSON as it was sent, or null. */
function patternOf({ text }, request) {
  if (!text) return null;
  try {
    JSON.parse(text);
    request.body = { equalToJson: "@content@" };
    return text.trim();
  } catch {
    request.body = { equalTo: text };
    return null;
  }
}

/** A response that gives what was sent. */
async function responseOf(sent) {
  const value = { status: sent.status ?? 200 };
  const own = new Set(["content-length", "content-encoding", "transfer-encoding", "date", "vary"]);
  for (const [name, field] of sent.headers) {
    const lower = name.toLowerCase();
    if (own.has(lower) || lower.startsWith("access-control-") || lower.startsWith("stubdb-")) continue;
    value.headers ??= {};
    value.headers[name] = name in value.headers ? [value.headers[name], field].flat() : field;
  }
  const plain = await uncoded(sent.content, fieldOf(sent.headers, "content-encoding"));
  const text = plain && decoded(plain);
  if (!text || sent.bytes > sent.keptBytes) return { value };
  try {
    JSON.parse(text);
    if (/^application\/(.+\+)?json/i.test(fieldOf(sent.headers, "content-type") ?? "")) {
      value.json = "@answer@";
      return { value, raw: text.trim() };
    }
  } catch { /* It is text. */ }
  value.text = text;
  return { value };
}

/** A key from the method and the path that no other stub has. */
function unusedKey({ method, url }, keys) {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/, "");
  const words = path.split("/").filter((it) => it && !/^v?\d+$/.test(it)).slice(-2);
  const name = [method.toLowerCase(), ...words].join("-").replace(/[^\w.-]+/g, "-");
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}-${number}`;
    if (!keys.includes(key)) return key;
  }
}

/** The document with one part of a request's pattern as the request has it; other parts stay as they are. */
function fitted(document, base, part, entry) {
  const [kind, ...rest] = part.split(" ");
  const name = rest.join(" ");
  const has = (pointer) => placeOf(document, pointer, true) !== null;
  const set = (pointer, value) => setAt(document, base + pointer, JSON.stringify(value));
  switch (kind) {
    case "method": return set("/method", entry.method);
    case "url": case "path": case "host": case "scheme": case "port": {
      let text = document;
      for (const it of ["path", "host", "scheme", "port", "pathParameters"]) text = removedAt(text, `${base}/${it}`);
      return setAt(text, `${base}/url`, JSON.stringify(entry.url.replace(/[?#].*$/, "")));
    }
    case "query": {
      const value = new URLSearchParams(/\?([^#]*)/.exec(entry.url)?.[1] ?? "").get(name);
      const pointer = `/query/${escaped(name)}`;
      if (has(base + pointer)) return value === null ? removedAt(document, base + pointer) : set(pointer, value);
      return set("/url", entry.url.replace(/#.*$/, ""));
    }
    case "header": {
      const known = memberOf(document, `${base}/headers`, name) ?? name;
      const value = fieldOf(entry.headers, name.toLowerCase());
      const pointer = `/headers/${escaped(known)}`;
      return value === null ? removedAt(document, base + pointer) : set(pointer, value);
    }
    case "body": case "form": case "part": case "graphql": {
      const request = {};
      const raw = patternOf(entry, request);
      if (!request.body) return removedAt(document, `${base}/body`);
      return setAt(document, `${base}/body`, JSON.stringify(request.body, null, 2)
        .replace('"@content@"', () => raw ?? '"@content@"'));
    }
    default: return document;
  }
}

const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The name of a member as the document writes it, whatever its case. */
function memberOf(document, pointer, name) {
  const place = placeOf(document, pointer, true);
  if (place === null) return null;
  const object = JSON.parse(document.slice(...place));
  return Object.keys(object).find((it) => it.toLowerCase() === name.toLowerCase()) ?? null;
}
