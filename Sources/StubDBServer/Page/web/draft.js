// What a request of the journal becomes in the editor: a new stub, or a change of one that is near.
import { fieldOf, uncoded } from "./content.js";
import { adding, isObject, keysOf, placeOf, removedAt, setAt, stubsOf } from "./document.js";
import { alertOf, button, fill } from "./dom.js";
import { contentPattern, patternOf, queryOf, templateOf, unusedKey, valuesOf } from "./pattern.js";
import { base64Of, decoded } from "./text.js";

/**
 * Opens the editor with a stub for this very request, which answers as it was answered if `sent` says how. `misses` are
 * the nearest stubs, and `isQueryFree` is for a stub that answers whatever the query.
 */
export async function makeStub(entry, session, app, { sent = null, misses = [], isQueryFree = false } = {}) {
  const { value, raw: answer, lost } = sent ? await responseOf(sent) : { value: { status: 200 }, raw: null, lost: null };
  const { request, json, free } = await patternOf(entry, misses, isQueryFree);
  const text = (key) => {
    const stub = JSON.stringify({ key, request, responses: [value] }, null, 2);
    // Numbers stay as they were sent, which JavaScript might round.
    const asked = json === null ? stub : setAt(stub, "/request/body", expectedJSON(json));
    return answer === null ? asked : setAt(asked, "/responses/0/json", answer);
  };
  const said = ["a stub was added", lost, free.length > 0 ? `for any ${free.join(" and ")}` : null];
  open(app, session.scenario, entry, (document) => {
    const key = unusedKey(entry, request.url, keysOf(document));
    return { text: adding(text(key), document), key, said: said.filter(Boolean).join(", ") };
  });
}

const expectedJSON = (json) => `{\n  "equalToJson": ${json}\n}`;

/** Opens the editor with a stub of which each part that differs is changed to what the request has. */
export async function changeStub(entry, miss, app) {
  const content = await contentPattern(entry);
  open(app, miss.scenario, entry, (document) => {
    const index = keysOf(document).indexOf(miss.key);
    if (index < 0) return { text: document, key: null, said: "the stub is no longer there" };
    const base = `/stubs/${index}/request`;
    // The URLs of a resource are those of its items, and no part of what it asks for.
    const isResource = isObject(stubsOf(document)[index].resource);
    const parts = miss.mismatches.map(({ part }) => part).filter((it) => !isResource || !ofURL.has(it.split(" ")[0]));
    const text = parts.reduce((it, part) => fitted(it, base, part, entry, content), document);
    const said = text === document ? `“${miss.key}” has to be changed in the document` : `“${miss.key}” was changed`;
    return { text, key: miss.key, said };
  });
}

/** The parts of a request's pattern that are about its URL, without the query. */
const ofURL = new Set(["url", "path", "host", "scheme", "port"]);

/** Whether a stub of what the session plays is for the method and the URL of a request, and lacks something else. */
export const isForTarget = ({ scenario, mismatches }, session) => scenario === session.scenario
  && !mismatches.map(({ part }) => part.split(" ")[0]).some((it) => it === "method" || ofURL.has(it));

/** A button that opens the editor once, however often it is clicked; what goes wrong is said in an element. */
export function openingButton(label, wrong, body, properties) {
  let isBusy = false;
  return button(label, async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await body();
    } catch (error) {
      isBusy = false;
      fill(wrong, alertOf(error));
    }
  }, properties);
}

function open(app, scenario, entry, change) {
  app.draft = { scenario, entry, change };
  const hash = `#edit/${encodeURIComponent(scenario)}`;
  if (location.hash === hash) dispatchEvent(new Event("hashchange"));
  else location.hash = hash;
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

/** The document with one part of a request's pattern as the request has it; other parts stay as they are. */
function fitted(document, base, part, entry, content) {
  const [kind, ...rest] = part.split(" ");
  const name = rest.join(" ");
  const set = (pointer, value) => setAt(document, base + pointer, JSON.stringify(value));
  /** Asks for values of a name; without any, it is not asked for. */
  const asked = (parent, member, values) => (values.length === 0
    ? removedAt(document, `${base}${parent}/${escaped(member)}`)
    : set(`${parent}/${escaped(member)}`, values.length === 1 ? values[0] : values));
  switch (kind) {
    case "method": return set("/method", entry.method);
    case "url": case "path": case "host": case "scheme": case "port": {
      let text = document;
      for (const it of ["path", "host", "scheme", "port", "pathParameters"]) text = removedAt(text, `${base}/${it}`);
      return setAt(text, `${base}/url`, JSON.stringify(templateOf(entry.url)));
    }
    case "query": {
      const url = valueAt(document, `${base}/url`);
      if (typeof url === "string" && parametersOf(url).some(isCalled(name))) return set("/url", withParameter(url, name, entry.url));
      return asked("/query", name, parametersOf(entry.url).filter(isCalled(name)).map(([, value]) => value));
    }
    case "header": {
      const known = Object.keys(valueAt(document, `${base}/headers`) ?? {}).find((it) => it.toLowerCase() === name.toLowerCase());
      return asked("/headers", known ?? name, valuesOf(entry.headers, name));
    }
    case "body": case "form": case "part": case "graphql": {
      if (content.json !== null) return setAt(document, `${base}/body`, expectedJSON(content.json));
      if (!content.body) return removedAt(document, `${base}/body`);
      return setAt(document, `${base}/body`, JSON.stringify(content.body, null, 2));
    }
    default: return document;
  }
}

const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The value at a pointer of a document; undefined for none. */
function valueAt(document, pointer) {
  const place = placeOf(document, pointer, true);
  return place === null ? undefined : JSON.parse(document.slice(...place));
}

/** The parameters of a URL's query: name, value and both as they are written. */
const parametersOf = (url) => (/\?([^#]*)/.exec(url)?.[1] ?? "").split("&").filter(Boolean)
  .map((text) => [...[...new URLSearchParams(text)][0] ?? ["", ""], text]);
const isCalled = (name) => ([other]) => other === name;

/** A URL whose parameters of a name are those of another one. */
function withParameter(url, name, other) {
  const items = [...parametersOf(url).filter((it) => !isCalled(name)(it)), ...parametersOf(other).filter(isCalled(name))];
  return url.replace(/[?#].*$/s, "") + queryOf(items.map(([, , text]) => text));
}
