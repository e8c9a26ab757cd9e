// Talks to the admin API.

let token = null;
let askForToken = async () => null;

/** Exchanges the token for a cookie, which other tabs and later visits have too; without cookies it goes along. */
async function login() {
  await fetch("/__stubdb/login", {
    method: "POST", body: JSON.stringify({ token }), cache: "no-store",
    headers: { "Content-Type": "application/json" },
  }).catch(() => {});
}

/** Takes the token out of the address, so that it is neither bookmarked nor shown. */
export async function takeToken() {
  const found = /^#token=([^&]*)/.exec(location.hash);
  if (!found) return;
  token = readable(found[1]);
  history.replaceState(null, "", location.pathname);
  await login();
}

/** A part of an address without its percent signs; as it is where they stand for nothing. */
export function readable(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The token that goes along; null for none. */
export const knownToken = () => token;

/** Sets what asks the person for the token that a server wants. */
export function whenTokenIsNeeded(ask) { askForToken = ask; }

/** What the server answers in place of a result. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    Object.assign(this, { status, pointer: body.pointer ?? null, type: body.type ?? null });
  }
}

async function send(method, path, { body, headers = {}, signal } = {}) {
  const fields = { ...headers };
  if (body !== undefined) fields["Content-Type"] = "application/json";
  const used = token;
  if (used !== null) fields.Authorization = `Bearer ${used}`;
  const answer = await fetch(`/__stubdb/${path}`, {
    method, body, headers: fields, signal, cache: "no-store",
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new Problem(null, { detail: "The server does not answer." });
  });
  if (answer.status !== 401) return answer;
  // Another request may have learned the token meanwhile.
  if (token === used) {
    token = await askForToken(used !== null);
    await login();
  }
  return send(method, path, { body, headers, signal });
}

/** Sends text or a value; the result is the answer's text and entity tag. */
export async function ask(method, path, value, headers) {
  const body = value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  const answer = await send(method, path, { body, headers });
  const text = await answer.text();
  if (!answer.ok) {
    let problem = {};
    try { problem = JSON.parse(text); } catch { /* It is the status that counts. */ }
    throw new Problem(answer.status, problem);
  }
  return { text, tag: answer.headers.get("ETag") };
}

export async function get(path) { return JSON.parse((await ask("GET", path)).text); }

export async function bytes(path) {
  const answer = await send("GET", path);
  if (!answer.ok) throw new Problem(answer.status, {});
  return new Uint8Array(await answer.arrayBuffer());
}

/** The path of a scenario's document. */
export const scenarioPath = (name) => `scenarios/${encodeURIComponent(name)}`;
