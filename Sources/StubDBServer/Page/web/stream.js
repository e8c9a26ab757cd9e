// Hears of what is new on the server, over one connection for all pages of a browser, which a shared worker holds.
//
// A browser has six connections to a server, for all tabs and for the app under test.

/** Milliseconds between two messages to a page. */
const pause = 100;
/** Milliseconds before a connection that was lost is tried again. */
const patience = 1000;

/** Reads the events of the server while a page wants them. */
export class Stream {
  /** What each page follows, with the events that are still to be sent, by the function that takes them. */
  #pages = new Map();
  #state = "connecting";
  #trouble = "";
  #stop = null;
  #timer = null;

  /** Begins to tell a page of a session; without one, the page wants nothing at present. */
  follow(tell, { session, token }) {
    this.#pages.delete(tell);
    if (session !== null) {
      // Whoever begins to listen may have missed something.
      const news = { answers: [], hasGap: this.#state === "live" };
      this.#pages.set(tell, { session, token, news });
      this.#wake();
    }
    if (this.#pages.size === 0) {
      this.#stop?.abort();
      this.#stop = null;
      this.#state = "connecting";
    } else if (!this.#stop) {
      this.#stop = new AbortController();
      this.#run(this.#stop.signal);
    }
  }

  #wake() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const [tell, page] of this.#pages) {
        tell({ ...page.news, state: this.#state, trouble: this.#trouble });
        page.news = { answers: [] };
      }
    }, pause);
  }

  #become(state) {
    this.#state = state;
    this.#wake();
  }

  async #run(signal) {
    while (!signal.aborted) {
      try {
        const [{ token }] = this.#pages.values();
        const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
        const answer = await fetch("/__stubdb/events", { headers, signal, cache: "no-store" });
        if (!answer.ok) throw new Error(answer.status);
        for (const { news } of this.#pages.values()) news.hasGap = true;
        this.#become("live");
        for await (const event of events(answer.body)) this.#take(event);
      } catch {
        if (signal.aborted) return;
      }
      this.#become("lost");
      await new Promise((resume) => setTimeout(resume, patience));
    }
  }

  #take({ name, data }) {
    const value = data ? JSON.parse(data) : {};
    if (name === "catalog") this.#trouble = value.problems.join(" ");
    const word = { catalog: "hasCatalog", gap: "hasGap" }[name];
    if (word) {
      for (const { news } of this.#pages.values()) news[word] = true;
      return this.#wake();
    }
    let isWanted = false;
    for (const { session, news } of this.#pages.values()) {
      if (session !== value.session) continue;
      isWanted = true;
      if (name === "run") news.isNewRun = true;
      if (name === "request") news.hasRequests = true;
      if (name === "answer") news.answers.push(value);
    }
    if (isWanted) this.#wake();
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
      const event = { name: "message", data: "" };
      for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        const [field, text] = [line.slice(0, colon), line.slice(colon + 2)];
        if (field === "event") event.name = text;
        if (field === "data") event.data += text;
      }
      yield event;
    }
  }
}

if (globalThis.SharedWorkerGlobalScope && globalThis instanceof SharedWorkerGlobalScope) {
  const stream = new Stream();
  addEventListener("connect", ({ ports: [port] }) => {
    const tell = (news) => port.postMessage(news);
    port.addEventListener("message", ({ data }) => stream.follow(tell, data));
    // The tab may end without a word.
    port.addEventListener("close", () => stream.follow(tell, { session: null, token: null }));
    port.start();
  });
}
