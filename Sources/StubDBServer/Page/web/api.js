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
  token = decodeURIComponent(found[1]);
  history.replaceState(null, "", location.pathname);
  await login();
}

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
  if (token !== null) fields.Authorization = `Bearer ${token}`;
  const answer = await fetch(`/__stubdb/${path}`, {
    method, body, headers: fields, signal, cache: "no-store",
  });
  if (answer.status !== 401) return answer;
  token = await askForToken();
  await login();
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

/** The newest entries of a session's journal, as they come. */
export class Feed {
  /** The number of entries that are kept. */
  static size = 500;
  /** Milliseconds between two calls of those who watch. */
  static pause = 100;

  entries = [];
  /** Changes when the entries begin anew. */
  epoch = 0;
  state = "connecting";
  /** Why the catalog could not be read again; empty if it could. */
  trouble = "";
  #watchers = new Set();
  #timer = null;
  #stop = null;
  #session = null;
  /** The number of the last entry that came; null before the first one. */
  #last = null;
  /** Ends the connection when the page has been hidden for a while. */
  #rest = null;
  /** The entries whose answers have not ended, by number. */
  #open = new Map();

  /** Calls the function after changes, ten times a second at most; the result ends that. */
  watch(changed) {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** Milliseconds for which a page that is hidden goes on reading. */
  static patience = 5000;

  /**
   * A browser has six connections to a server, for all tabs and for the app under test: a page that nobody sees, or
   * that was left and is kept for the way back, must not hold one of them.
   */
  constructor() {
    addEventListener("pagehide", () => this.#pause());
    addEventListener("pageshow", () => this.#resume());
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#rest);
      if (document.hidden) this.#rest = setTimeout(() => this.#pause(), Feed.patience);
      else this.#resume();
    });
  }

  follow(session) {
    this.#pause();
    [this.#session, this.#last] = [session, null];
    this.#forget();
    this.#resume();
  }

  #pause() {
    this.#stop?.abort();
    this.#stop = null;
  }

  #resume() {
    if (this.#stop || this.#session === null || document.hidden) return;
    this.#stop = new AbortController();
    this.#run(this.#session, this.#stop.signal);
  }

  #forget() {
    this.entries = [];
    this.#open.clear();
    this.epoch += 1;
    this.#tell();
  }

  #tell() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const changed of this.#watchers) changed();
    }, Feed.pause);
  }

  #become(state) {
    this.state = state;
    this.#tell();
  }

  async #run(session, signal) {
    while (!signal.aborted) {
      try {
        const { requests } = await get(`sessions/${session}`);
        if (signal.aborted) return;
        if (this.#last === null || requests < this.#last || this.#open.size > 0) {
          // A server that was started anew numbers from 1 again, and the ends of answers may have been missed.
          if (this.#last !== null) this.#forget();
          this.#last = Math.max(0, requests - Feed.size);
        }
        const path = `events?session=${session}&after=${this.#last}`;
        const answer = await send("GET", path, { signal });
        if (!answer.ok) throw new Problem(answer.status, {});
        this.#become("live");
        for await (const event of events(answer.body)) {
          if (event.name === "run") {
            this.#forget();
            this.#last = 0;
          } else if (event.name === "request") {
            this.#last = Number(event.id);
            this.#add(JSON.parse(event.data));
          } else if (event.name === "answer") {
            this.#complete(JSON.parse(event.data));
          } else if (event.name === "catalog") {
            this.trouble = JSON.parse(event.data).problems.join(" ");
            this.#tell();
          }
        }
        this.#become("ended");
      } catch (error) {
        if (signal.aborted) return;
        if (error.status === 404) return this.#become("ended");
        this.#become("lost");
      }
      await new Promise((resume) => setTimeout(resume, 1000));
    }
  }

  #add(entry) {
    this.entries.push(entry);
    if (entry.durationMs === null) this.#open.set(entry.number, entry);
    if (this.entries.length > Feed.size) this.#open.delete(this.entries.shift().number);
    this.#tell();
  }

  /** Completes an entry whose answer has ended. */
  #complete(entry) {
    const open = this.#open.get(entry.number);
    if (!open) return;
    Object.assign(open, entry);
    this.#open.delete(entry.number);
    this.#tell();
  }
}

/** The events of a stream. A reader takes the token along, which EventSource cannot. */
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { name: "message", id: null, data: "" };
      for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        const [field, text] = [line.slice(0, colon), line.slice(colon + 2)];
        if (field === "event") event.name = text;
        if (field === "id") event.id = text;
        if (field === "data") event.data += text;
      }
      yield event;
    }
  }
}
