// What a request of the journal becomes in the editor: a new stub, or a change of one that is near.
import { fieldOf, uncoded } from "./content.js";
import { adding, base64Of, decoded, isObject, keysOf, placeOf, removedAt, setAt, stubsOf } from "./text.js";

/** Opens the editor with a stub for this very request, which answers as it was answered. */
export async function makeStub(entry, session, app, sent) {
  const { value, raw: answer, lost } = sent && entry.matched
    ? await responseOf(sent) : { value: { status: 200 }, raw: "{}", lost: null };
  const request = { method: entry.method, url: entry.url };
  const raw = patternOf(entry, request);
  const text = (key) => {
    const stub = JSON.stringify({ key, request, responses: [value] }, null, 2);
    // Numbers stay as they were sent, which JavaScript might round.
    const asked = raw === null ? stub : setAt(stub, "/request/body", `{\n  "equalToJson": ${raw}\n}`);
    return answer === null ? asked : setAt(asked, "/responses/0/json", answer);
  };
  const isFree = entry.content.length > 0 && !request.body && raw === null;
  const remarks = [lost, isFree ? "for any content, since that of the request is not text" : null].filter(Boolean);
  open(app, session.scenario, entry, (document) => {
    const key = unusedKey(entry, keysOf(document));
    return { text: adding(text(key), document), key, said: ["a stub was added", ...remarks].join(", ") };
  });
}

/** Opens the editor with a stub of which each part that differs is changed to what the request has. */
export function changeStub(entry, miss, session, app) {
  open(app, miss.scenario, entry, (document) => {
    const index = keysOf(document).indexOf(miss.key);
    if (index < 0) return { text: document, key: null, said: "the stub is no longer there" };
    const base = `/stubs/${index}/request`;
    // The URLs of a resource are those of its items, and no part of what it asks for.
    const isResource = isObject(stubsOf(document)[index].resource);
    const parts = miss.mismatches.map(({ part }) => part).filter((it) => !isResource || !ofURL.has(it.split(" ")[0]));
    const text = parts.reduce((it, part) => fitted(it, base, part, entry), document);
    const said = text === document ? `“${miss.key}” has to be changed in the document` : `“${miss.key}” was changed`;
    return { text, key: miss.key, said };
  });
}

/** The parts of a request's pattern that are about its URL, without the query. */
const ofURL = new Set(["url", "path", "host", "scheme", "port"]);

/** Whether a stub of what the session plays is for the method and the URL of a request, and lacks something else. */
export const isForTarget = ({ scenario, mismatches }, session) => scenario === session.scenario
  && !mismatches.map(({ part }) => part.split(" ")[0]).some((it) => it === "method" || ofURL.has(it));

function open(app, scenario, entry, change) {
  app.draft = { scenario, entry, change };
  const hash = `#edit/${encodeURIComponent(scenario)}`;
  if (location.hash === hash) dispatchEvent(new Event("hashchange"));
  else location.hash = hash;
}

/** Adds what the content must be, or gives it as JSON as it was sent; null otherwise. */
function patternOf({ text }, request) {
  if (!text) return null;
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    request.body = { equalTo: text };
    return null;
  }
}

/** A response that gives what was sent: its value, its JSON as it was sent or null, and what is missing or null. */
async function responseOf(sent) {
  const value = { status: sent.status ?? 200 };
  const own = new Set(["content-length", "content-encoding", "transfer-encoding", "date", "vary"]);
  for (const [name, field] of sent.headers) {
    const lower = name.toLowerCase();
    if (own.has(lower) || lower.startsWith("access-control-") || lower.startsWith("stubdb-")) continue;
    // Fields may be called like what objects have from the beginning.
    value.headers ??= Object.create(null);
    value.headers[name] = name in value.headers ? [value.headers[name], field].flat() : field;
  }
  if (sent.bytes === 0) return { value, raw: null, lost: null };
  if (sent.bytes > sent.keptBytes) {
    return { value, raw: null, lost: "without its content, of which the journal has the beginning only" };
  }
  const plain = await uncoded(sent.content, fieldOf(sent.headers, "content-encoding"));
  if (plain === null) return { value, raw: null, lost: "without its content, whose coding the page does not know" };
  const text = decoded(plain);
  if (text === null) {
    value.base64 = base64Of(plain);
    return { value, raw: null, lost: null };
  }
  try {
    JSON.parse(text);
    if (/^application\/(.+\+)?json/i.test(fieldOf(sent.headers, "content-type") ?? "")) {
      return { value, raw: text.trim(), lost: null };
    }
  } catch { /* It is text. */ }
  value.text = text;
  return { value, raw: null, lost: null };
}

/** A key from the method and the path that no other stub has. */
function unusedKey({ method, url }, keys) {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/, "");
  const words = path.split("/").filter((it) => it && !/^v?\d+$/.test(it)).slice(-2);
  const name = [method.toLowerCase(), ...words].join("-").replace(/[^\w.-]+/g, "-").slice(0, 80);
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
      if (!has(`${base}/url`)) return value === null ? document : set(pointer, value);
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
      if (raw !== null) return setAt(document, `${base}/body`, `{\n  "equalToJson": ${raw}\n}`);
      if (!request.body) return removedAt(document, `${base}/body`);
      return setAt(document, `${base}/body`, JSON.stringify(request.body, null, 2));
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
