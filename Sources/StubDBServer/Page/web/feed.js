// The journal of the session that is shown, as it grows.
import { get, knownToken } from "./api.js";
import { Stream } from "./stream.js";

/** The largest number of entries that are kept; the oldest go first. */
const most = 50_000;
/** The number of entries that are read at first, and of older ones at once. */
const page = 500;
/** The number of newer entries that are read at once. */
const batch = 1000;

/** The entries of a session's journal that pass a filter, which is a part of a query; the newest ones at first. */
export class Listing {
  /** In order of arrival. */
  entries = [];
  /** Whether the journal may have older ones. */
  hasOlder = false;
  /** Changes when the entries begin anew. */
  epoch = 0;
  #path;
  #filter;
  /** The number after which newer entries come; null before the first answer. */
  #last = null;
  /** The number before which older entries come. */
  #first = 1;
  /** The entries whose answers have not ended, by number. */
  #open = new Map();
  #reading = Promise.resolve();

  constructor(session, filter = "") {
    [this.#path, this.#filter] = [`sessions/${session}/journal?`, filter ? `&${filter}` : ""];
  }

  /** The number of the newest entry that was looked at. */
  get last() { return this.#last ?? 0; }

  /** Reads the newest entries in place of those that are there. */
  reload() {
    return this.#inTurn(async () => {
      const { events, next } = await get(`${this.#path}before=${Number.MAX_SAFE_INTEGER}&limit=${page}${this.#filter}`);
      const newest = this.#filter ? await get(`${this.#path}before=${Number.MAX_SAFE_INTEGER}&limit=1`) : { events };
      this.epoch += 1;
      this.entries = [];
      this.#open.clear();
      this.#take(events, "push");
      this.#last = Math.max(newest.events.at(-1)?.number ?? 0, events.at(-1)?.number ?? 0);
      [this.#first, this.hasOlder] = [next, next > 1];
    });
  }

  /** Reads what has come since. */
  newer() {
    if (this.#last === null) return this.reload();
    return this.#inTurn(async () => {
      for (;;) {
        const { events, next } = await get(`${this.#path}after=${this.#last}&limit=${batch}${this.#filter}`);
        this.#take(events, "push");
        if (next <= this.#last) return;
        this.#last = next;
        if (!this.#filter && events.length < batch) return;
      }
    });
  }

  /** Reads what has come since, and the ends of answers that were missed. */
  async catchUp() {
    if (this.#last !== null && !await this.isCurrent()) return this.reload();
    await this.newer();
    const [first] = this.#open.keys();
    if (first === undefined) return;
    const { events } = await get(`${this.#path}after=${first - 1}&limit=${batch}`);
    this.complete(events.filter(({ durationMs }) => durationMs !== null));
  }

  /** Reads entries again whose answers have ended: the filter may let them pass only now. */
  recheck(answers) {
    const known = new Set(this.entries.map(({ number }) => number));
    const numbers = answers.map(({ number }) => number).filter(
      (it) => it >= this.#first && it <= this.#last && !known.has(it));
    if (numbers.length === 0) return this.#reading;
    return this.#inTurn(async () => {
      const range = `after=${Math.min(...numbers) - 1}&before=${Math.max(...numbers) + 1}`;
      const { events } = await get(`${this.#path}${range}&limit=${batch}${this.#filter}`);
      const found = events.filter(({ number }) => numbers.includes(number));
      if (found.length === 0) return;
      this.entries = [...this.entries, ...found].sort((one, other) => one.number - other.number);
    });
  }

  /** Whether the newest entry is still what the server has: it may be gone, or another one may have its address. */
  async isCurrent() {
    const entry = this.entries.at(-1);
    if (!entry) return true;
    const { events } = await get(`${this.#path}after=${entry.number - 1}&limit=1`);
    return events.length > 0 && events[0].number === entry.number && events[0].at === entry.at;
  }

  /** Reads older entries. */
  older() {
    return this.#inTurn(async () => {
      const { events, next } = await get(`${this.#path}before=${this.#first}&limit=${page}${this.#filter}`);
      this.#take(events, "unshift");
      [this.#first, this.hasOlder] = [next, next > 1 && this.entries.length < most];
    });
  }

  /** Completes entries whose answers have ended. */
  complete(answers) {
    for (const answer of answers) {
      const open = this.#open.get(answer.number);
      if (!open || open.at !== answer.at) continue;
      Object.assign(open, answer);
      this.#open.delete(answer.number);
    }
  }

  /** One reading after another, so that none is taken twice. */
  #inTurn(read) {
    this.#reading = this.#reading.catch(() => {}).then(read);
    return this.#reading;
  }

  #take(events, add) {
    for (const entry of events) if (entry.durationMs === null) this.#open.set(entry.number, entry);
    this.entries = add === "push" ? this.entries.concat(events) : events.concat(this.entries);
    if (this.entries.length <= most) return;
    this.entries = this.entries.slice(-most);
    [this.#first, this.hasOlder] = [this.entries[0].number, true];
  }
}

/** Follows a session: what its journal has, and whether the server and the session are there. */
export class Feed {
  /** Milliseconds for which a page that is hidden goes on reading. */
  static patience = 5000;
  /** Milliseconds between two looks at the session. */
  static look = 2000;

  listing = null;
  state = "connecting";
  /** Why the catalog could not be read again; empty if it could. */
  trouble = "";
  /** How many requests the session had, and how many of them its journal has dropped. */
  counts = { requests: 0, dropped: 0 };
  /** Counts the changes of the catalog. */
  catalog = 0;
  #session = null;
  #watchers = new Set();
  #follow;
  /** Ends the connection when the page has been hidden for a while. */
  #rest = null;
  #timer = null;

  constructor() {
    this.#follow = connect((news) => this.#hear(news));
    addEventListener("pagehide", () => this.#pause());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) this.#resume(); });
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#rest);
      if (document.hidden) this.#rest = setTimeout(() => this.#pause(), Feed.patience);
      else this.#resume();
    });
  }

  /** Calls the function after changes; the result ends that. */
  watch(changed) {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  follow(session) {
    this.#pause();
    this.#session = session;
    [this.listing, this.counts] = [new Listing(session), { requests: 0, dropped: 0 }];
    this.#become("connecting");
    this.#resume();
  }

  /** Reads the journal again, as after it was emptied. */
  async reload() {
    await this.listing.reload();
    await this.#look();
    this.#tell();
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#follow({ session: null, token: null });
  }

  #resume() {
    if (this.#timer !== null || this.#session === null || document.hidden) return;
    this.#follow({ session: this.#session, token: knownToken() });
    this.#timer = setInterval(() => this.#look(), Feed.look);
  }

  async #hear({ state, trouble, isNewRun, hasGap, hasRequests, hasCatalog, answers }) {
    if (this.state === "ended") return;
    this.trouble = trouble;
    // A change may have been missed too.
    if (hasCatalog || hasGap) this.catalog += 1;
    const { listing } = this;
    try {
      if (isNewRun) await listing.reload();
      else if (hasGap) await Promise.all([this.#look(), listing.catchUp()]);
      else if (hasRequests) await listing.newer();
    } catch (error) {
      // Another session may be followed meanwhile.
      if (listing === this.listing) this.#become(error.status === 404 ? "ended" : "lost");
      return;
    }
    if (listing !== this.listing) return;
    listing.complete(answers);
    this.state = state;
    this.#tell(answers);
  }

  /** Looks whether the session is there, and what its journal has lost. */
  async #look() {
    const session = this.#session;
    try {
      const { requests, dropped } = await get(`sessions/${session}`);
      if (session !== this.#session) return;
      const hasChanged = dropped !== this.counts.dropped;
      // After a reset, numbers go on; the journal has none of what it had.
      const isNew = requests < this.listing.last || !await this.listing.isCurrent();
      if (session !== this.#session) return;
      this.counts = { requests, dropped };
      if (isNew) await this.listing.reload();
      if (isNew || hasChanged) this.#tell();
    } catch (error) {
      if (session !== this.#session) return;
      this.#become(error.status === 404 ? "ended" : "lost");
    }
  }

  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.#tell();
  }

  #tell(answers = []) {
    for (const changed of this.#watchers) changed(answers);
  }
}

/** Connects the page with the worker that all pages share, or reads by itself where a browser has none. */
function connect(hear) {
  const url = new URL("./stream.js", import.meta.url).href;
  try {
    const policy = globalThis.trustedTypes?.createPolicy("stubdb", { createScriptURL: () => url });
    const worker = new SharedWorker(policy?.createScriptURL(url) ?? url, { type: "module", name: "stubdb" });
    worker.port.addEventListener("message", ({ data }) => hear(data));
    worker.port.start();
    return (wish) => worker.port.postMessage(wish);
  } catch {
    const stream = new Stream();
    return (wish) => stream.follow(hear, wish);
  }
}
