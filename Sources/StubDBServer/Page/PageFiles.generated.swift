#if Server
// Made by scripts/generate-page from the files in web/; change those.

/// The files of the page, by name.
enum PageFiles {
  static let all: [String: String] = [
    "api.js": ##"""
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

    """##,
    "app.js": ##"""
    // The frame of the page: which view is shown, of which session.
    import { Feed, get, takeToken, whenTokenIsNeeded } from "./api.js";
    import { fill, h } from "./dom.js";
    import { showEditor } from "./editor.js";
    import { showJournal } from "./journal.js";
    import { showCoverage, showScenarios, showSessions } from "./lists.js";
    import { showReview } from "./review.js";

    const views = {
      journal: ["Journal", showJournal],
      review: ["Unmatched", showReview],
      scenarios: ["Scenarios", showScenarios],
      edit: ["Editor", showEditor],
      coverage: ["Coverage", showCoverage],
      sessions: ["Sessions", showSessions],
    };

    const picker = document.querySelector("#session");
    const connection = document.querySelector("#connection");
    const main = document.querySelector("#view");

    /** What the views share. */
    const app = {
      feed: new Feed(),
      /** The sessions of the server. */
      sessions: [],
      /** A stub that the editor is to add, as text. */
      draft: null,
      /** What was written in the editor and not saved, when another view was shown. */
      unsaved: null,

      get session() { return app.sessions.find(({ id }) => id === picker.value) ?? null; },

      /** Reads the sessions again, and shows another one if it is given. */
      async refresh(chosen = picker.value) {
        app.sessions = await get("sessions");
        const before = app.followed;
        fill(picker, app.sessions.map((it) => h("option", { value: it.id },
          `${it.name ?? it.id} · ${it.scenario}`)));
        if (app.sessions.some(({ id }) => id === chosen)) picker.value = chosen;
        if (picker.value !== before) app.follow();
      },

      follow() {
        app.followed = picker.value;
        if (picker.value) app.feed.follow(picker.value);
      },
    };

    let leave = null;

    /** Shows the view that the address names: `#view/argument/…`. */
    function route() {
      const [name, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
      const key = name in views ? name : "journal";
      const [title, show] = views[key];
      fill(document.querySelector("#views"), Object.entries(views).map(([id, [label]]) =>
        h("a", { href: `#${id}`, "aria-current": id === key ? "page" : null }, label)));
      document.title = `${title} · stubdb`;
      leave?.();
      leave = show(fill(main), app, rest) ?? null;
    }

    /** Asks for the token; it is kept as long as the page is open. */
    function askForToken() {
      leave?.();
      leave = null;
      connection.textContent = "token needed";
      return new Promise((resolve) => {
        const input = h("input", { type: "password", autocomplete: "off", required: true });
        const submit = (event) => {
          event.preventDefault();
          resolve(input.value);
          route();
        };
        fill(main, h("h2", {}, "This server wants a token"),
          h("p", {}, "It was printed when the server started."),
          h("form", { onsubmit: submit }, h("label", {}, "Token ", input), h("button", {}, "Use it")));
        input.focus();
      });
    }

    function showConnection() {
      const { state, trouble } = app.feed;
      const alert = document.querySelector("#trouble");
      if (alert.textContent !== trouble) alert.textContent = trouble;
      if (connection.textContent === state) return;
      connection.textContent = state;
      connection.className = state;
    }

    await takeToken();
    let asking = null;
    whenTokenIsNeeded(() => {
      asking ??= askForToken().finally(() => { asking = null; });
      return asking;
    });
    app.feed.watch(showConnection);
    picker.addEventListener("change", () => { app.follow(); route(); });
    window.addEventListener("hashchange", () => { route(); main.focus(); });
    try {
      await app.refresh();
      route();
    } catch (error) {
      fill(main, h("p", { role: "alert", class: "problem" }, error.message));
    }

    """##,
    "dom.js": ##"""
    // Makes the elements of the page. Text only ever becomes text, never markup.

    /** An element with properties, listeners (`onclick`) and children; what is nil or false is left out. */
    export function h(name, properties = {}, ...children) {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (key === "value") element.value = value;
        else element.setAttribute(key, value === true ? "" : value);
      }
      append(element, children);
      return element;
    }

    function append(element, children) {
      for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
      }
    }

    /** Puts children in place of those that are there. */
    export function fill(element, ...children) {
      element.replaceChildren();
      append(element, children);
      return element;
    }

    export function button(label, onclick, properties = {}) {
      return h("button", { type: "button", onclick, ...properties }, label);
    }

    /** A table with a caption and a head; a column is its title, or a title and a class. */
    export function table(caption, columns, rows, properties = {}) {
      const head = columns.map((column) => {
        const [title, kind] = [column].flat();
        return h("th", { scope: "col", role: "columnheader", class: kind }, title);
      });
      const body = h("tbody", { role: "rowgroup" }, rows);
      return h("table", { role: "table", ...properties }, h("caption", {}, caption),
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)), body);
    }

    /** A row; a cell is its content, or a content and a class. The first cell is the head of the row. */
    export function row(cells, properties = {}) {
      const made = cells.map((cell, index) => {
        const [content, kind] = Array.isArray(cell) ? cell : [cell];
        return index === 0
          ? h("th", { scope: "row", role: "rowheader", class: kind }, content)
          : h("td", { role: "cell", class: kind }, content);
      });
      return h("tr", { role: "row", ...properties }, made);
    }

    /** A button that copies a text, and says so. */
    export function copyButton(label, text) {
      const copy = button(label, async () => {
        if (await copied(text())) copy.textContent = "Copied";
        setTimeout(() => { copy.textContent = label; }, 1500);
      });
      return copy;
    }

    async function copied(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // Browsers keep the clipboard from pages of other machines without TLS, unless it is done like this.
        const area = h("textarea", { readonly: true, "aria-hidden": "true", value: text });
        document.body.append(area);
        area.select();
        const isDone = document.execCommand("copy");
        area.remove();
        return isDone;
      }
    }

    /** Calls a function some time after the last call. */
    export function settled(milliseconds, body) {
      let timer;
      return () => {
        clearTimeout(timer);
        timer = setTimeout(body, milliseconds);
      };
    }

    /** What differs between a request and the nearest stubs. */
    export function nearMisses(misses) {
      if (misses.length === 0) return [h("p", { class: "quiet" }, "No stub is near.")];
      return misses.map((miss) => differences(
        `Stub “${miss.key}” of ${miss.scenario} expects something else`, miss.mismatches));
    }

    /** What was expected and what came instead. */
    export function differences(caption, mismatches) {
      return table(caption, ["Part", "Expected", "Actual"], mismatches.map((it) => row([
        it.pointer ? `${it.part} ${it.pointer}` : it.part,
        [it.expected, "code good"], [it.actual ?? "nothing", "code bad"],
      ])));
    }

    /** A problem of the admin API as an alert. */
    export function alertOf(error) {
      return h("p", { role: "alert", class: "problem" }, error.message);
    }

    """##,
    "editor.js": ##"""
    // The document of a scenario, with what is wrong in it, and what it would answer.
    import { ask, scenarioPath } from "./api.js";
    import { alertOf, button, fill, h, nearMisses, settled } from "./dom.js";
    import { readEntry } from "./request.js";
    import { adding, changes, outline, placeOf } from "./text.js";

    const template = `{
      "scenario": "folder/name",
      "stubs": [
        {
          "key": "me",
          "request": {
            "method": "GET",
            "url": "https://api.example.test/v1/me"
          },
          "responses": [
            {
              "json": {}
            }
          ]
        }
      ]
    }
    `;

    export function showEditor(main, app, [name, key]) {
      const source = h("textarea", {
        id: "document", rows: 28, spellcheck: "false", wrap: "off", oninput: changed,
        "aria-describedby": "wrong",
      });
      const wrong = h("div", { id: "wrong", role: "alert" });
      const told = h("span", { role: "status" });
      const conflict = h("section", { "aria-label": "Conflict", hidden: true });
      const save = button("Save", () => write(), { id: "save" });
      const match = makeMatch(app, settled(250, check));
      // What was read, and its entity tag; a new document has none.
      let [base, tag, round] = ["", null, 0];

      function changed() {
        told.textContent = source.value === base ? "" : "not saved";
        check.soon();
      }

      function complain(message, [start, end]) {
        const go = button("Show the place", () => {
          source.focus();
          source.setSelectionRange(start, end);
          const line = source.value.slice(0, start).split("\n").length;
          source.scrollTop = (line - 4) * (source.scrollHeight / source.value.split("\n").length);
        });
        fill(wrong, h("p", { class: "problem" }, message, " ", go));
        source.setAttribute("aria-invalid", "true");
      }

      function complainAbout(problem) {
        const pointer = problem.pointer ?? "";
        complain(`${pointer || "The document"}: ${problem.message}`,
          placeOf(source.value, pointer));
      }

      function approve() {
        fill(wrong);
        source.removeAttribute("aria-invalid");
      }

      /** Lets the server read the document, and match the request beside it. */
      async function check() {
        const text = source.value;
        const { error } = outline(text);
        if (error !== null) {
          const line = text.slice(0, error).split("\n").length;
          return complain(`Line ${line} is not JSON.`, [error, error + 1]);
        }
        round += 1;
        const own = round;
        const { request, isGiven } = match.question();
        try {
          // As it is written: JavaScript would round long numbers.
          const answer = await ask("POST", "match",
            `{"document":${text},"request":${JSON.stringify(request)}}`);
          if (own !== round) return;
          approve();
          match.show(isGiven ? JSON.parse(answer.text) : null);
        } catch (problem) {
          if (own !== round) return;
          if (problem.pointer?.startsWith("/request")) {
            approve();
            match.fail(problem);
          } else {
            match.show(null);
            const pointer = problem.pointer?.replace(/^\/document/, "");
            complainAbout({ message: problem.message, pointer });
          }
        }
      }
      check.soon = settled(250, check);

      function take(document, itsTag) {
        [base, tag] = [document, itsTag];
        source.value = document;
        told.textContent = "";
      }

      async function write(condition = tag, allowed = {}) {
        const text = source.value;
        if (outline(text).error !== null) return check();
        try {
          const path = scenarioPath(name || JSON.parse(text).scenario);
          const written = await ask("PUT", path, text,
            { ...allowed, ...(condition === null ? { "If-None-Match": "*" } : { "If-Match": condition }) });
          name = JSON.parse(written.text).scenario;
          take(written.text, written.tag);
          conflict.hidden = true;
          approve();
          told.textContent = "saved";
        } catch (problem) {
          if (problem.status === 412) await settle();
          else complainAbout(problem);
          if (problem.type === "urn:stubdb:problem:secrets") {
            wrong.append(button("Save it with its secrets",
              () => write(condition, { "StubDB-Allow-Secrets": "true" })));
          }
        }
      }

      /** Shows both changes since the document was read, and lets the person decide. */
      async function settle() {
        const path = scenarioPath(name || JSON.parse(source.value).scenario);
        const theirs = await ask("GET", path).catch(() => null);
        told.textContent = "not saved";
        const choose = (label, action) => button(label, () => {
          conflict.hidden = true;
          action();
          source.focus();
        });
        if (theirs === null) {
          fill(conflict, h("h3", {}, "The scenario was removed meanwhile"),
            choose("Save it as new", () => write(null)));
        } else {
          fill(conflict, h("h3", { tabindex: -1 }, "The scenario was changed meanwhile"),
            h("div", { class: "columns" },
              side("Your changes", base, source.value), side("In the catalog", base, theirs.text)),
            h("div", { class: "tools" },
              choose("Save mine over it", () => write(theirs.tag)),
              choose("Take that of the catalog", () => { take(theirs.text, theirs.tag); check(); }),
              choose("Go on editing mine", () => { tag = theirs.tag; base = theirs.text; })));
        }
        conflict.hidden = false;
        conflict.querySelector("h3").focus();
      }

      main.append(h("h2", {}, name ? "Editor: " + name : "New scenario"),
        h("div", { class: "columns" },
          h("section", { "aria-label": "Document" },
            h("label", { for: "document" }, "Document"), source, wrong,
            h("div", { class: "tools" }, save, told)),
          match.element), conflict);

      async function open() {
        if (!name) {
          take(template, null);
        } else {
          try {
            const { text, tag: itsTag } = await ask("GET", scenarioPath(name));
            take(text, itsTag);
          } catch (problem) {
            return fill(wrong, alertOf(problem));
          }
        }
        if (app.unsaved && app.unsaved.name === name) {
          [base, tag] = [app.unsaved.base, app.unsaved.tag];
          source.value = app.unsaved.text;
          app.unsaved = null;
          told.textContent = "not saved";
        }
        if (app.draft !== null) {
          source.value = adding(app.draft, source.value);
          app.draft = null;
          told.textContent = "a stub was added; not saved";
          key = outline(source.value).places.size ? JSON.parse(source.value).stubs.at(-1).key : null;
        }
        if (key) select(key);
        check();
      }

      function select(key) {
        const index = JSON.parse(source.value).stubs.findIndex((stub) => stub.key === key);
        if (index < 0) return;
        const [start, end] = placeOf(source.value, `/stubs/${index}`);
        source.setSelectionRange(start, end);
        const line = source.value.slice(0, start).split("\n").length;
        source.scrollTop = (line - 2) * (source.scrollHeight / source.value.split("\n").length);
      }

      open();
      const guard = (event) => { if (source.value !== base) event.preventDefault(); };
      window.addEventListener("beforeunload", guard);
      return () => {
        window.removeEventListener("beforeunload", guard);
        match.stop();
        if (source.value !== base) app.unsaved = { name, text: source.value, base, tag };
      };
    }

    /** One side of a conflict: the lines, with those that changed. */
    function side(title, before, after) {
      const lines = changes(before, after).map(([kind, line]) =>
        h({ same: "span", old: "del", new: "ins" }[kind], {}, line));
      return h("div", {}, h("h3", {}, title),
        h("pre", { class: "lines", tabindex: 0, "aria-label": title }, lines));
    }

    /** A request, of the person or of the journal, and what answers it. */
    function makeMatch(app, changed) {
      const input = (properties) => h("input", {
        oninput: changed, autocomplete: "off", spellcheck: "false", ...properties,
      });
      const method = input({ value: "GET", size: 8 });
      const url = input({ placeholder: "https://api.example.test/v1/me" });
      const fields = h("textarea", { rows: 3, oninput: changed, placeholder: "Accept: */*" });
      const content = h("textarea", { rows: 5, oninput: changed });
      const result = h("div", { role: "status", id: "answer" });
      const wrong = h("div");
      const entries = h("select", { onchange: take, onfocus: list });
      // The number of the last request in the list.
      let last = null;

      /** Lists the requests of the journal as they come; an open list rests. */
      function list() {
        const newest = app.feed.entries.at(-1)?.number ?? 0;
        if (newest === last) return;
        const chosen = entries.value;
        last = newest;
        fill(entries, h("option", { value: "" }, "—"),
          app.feed.entries.slice(-50).reverse().map((it) => h("option", { value: it.number },
            `${it.number}. ${it.method} ${it.url.slice(0, 80)}`)));
        entries.value = chosen;
        if (entries.selectedIndex < 0) entries.value = "";
      }
      const stop = app.feed.watch(() => { if (document.activeElement !== entries) list(); });
      list();

      async function take() {
        if (!entries.value) return;
        try {
          const entry = await readEntry(app.session.id, entries.value);
          [method.value, url.value, content.value] = [entry.method, entry.url, entry.text ?? ""];
          fields.value = entry.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
          changed();
        } catch (problem) {
          fill(wrong, alertOf(problem));
        }
      }

      const element = h("section", { "aria-labelledby": "matching" },
        h("h3", { id: "matching" }, "What it answers"), h("form", {
          onsubmit: (event) => event.preventDefault(),
        }, h("label", {}, "From the journal ", entries), h("label", {}, "Method ", method),
        h("label", {}, "URL ", url), h("label", {}, "Header fields, one a line", fields),
        h("label", {}, "Content", content)), wrong, result);

      return {
        element, stop,
        question() {
          const headers = fields.value.split("\n").filter((line) => line.includes(":"))
            .map((line) => [line.slice(0, line.indexOf(":")).trim(),
              line.slice(line.indexOf(":") + 1).trim()]);
          const isGiven = url.value !== "";
          const request = {
            method: method.value || "GET", url: isGiven ? url.value : "http://localhost/", headers,
          };
          if (content.value) request.text = content.value;
          return { request, isGiven };
        },
        show(answer) {
          fill(wrong);
          if (answer === null) fill(result);
          else if (!answer.matched) {
            fill(result, h("p", { class: "bad" }, "No stub answers."), nearMisses(answer.nearMisses));
          } else {
            fill(result,
              h("p", { class: "good" }, `Stub “${answer.key}” of ${answer.scenario} answers.`),
              h("pre", { tabindex: 0, "aria-label": "Response" },
                JSON.stringify(answer.response, null, 2)));
          }
        },
        fail(problem) {
          fill(result);
          fill(wrong, alertOf(problem));
        },
      };
    }

    """##,
    "index.html": ##"""
    <!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>stubdb</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/__stubdb/page/style.css">
      <script type="module" src="/__stubdb/page/app.js"></script>
    </head>
    <body>
      <header>
        <h1>stubdb</h1>
        <nav aria-label="Views" id="views"></nav>
        <label>Session <select id="session"></select></label>
        <p role="status" id="connection">connecting</p>
      </header>
      <p role="alert" id="trouble" class="problem"></p>
      <main id="view" tabindex="-1"></main>
      <noscript>This page needs JavaScript.</noscript>
    </body>
    </html>

    """##,
    "journal.js": ##"""
    // The journal of a session: rows as they come.
    import { get, Feed } from "./api.js";
    import { alertOf, button, fill, h, row, table } from "./dom.js";
    import { describe, readEntry } from "./request.js";
    import { duration, timeOfDay } from "./text.js";

    export function showJournal(main, app) {
      const filter = h("select", { onchange: rebuild }, [
        ["all", "all requests"], ["matched", "answered by a stub"], ["unmatched", "no stub answers"],
      ].map(([value, label]) => h("option", { value }, label)));
      const pause = button("Pause", togglePause, { "aria-pressed": "false" });
      const news = h("span", { "aria-live": "polite", class: "quiet", id: "news" });
      const list = table(`The last ${Feed.size} requests, newest first`,
        [["No.", "number"], ["Time", "wide"], "Method", "URL", ["Status", "number"],
          ["Took", "number wide"], "Answer"], [],
        { class: "journal" });
      const body = list.tBodies[0];
      const detail = h("section", { id: "detail", "aria-label": "Request", hidden: true });
      const columns = h("div", { class: "columns" }, list);
      const dropped = h("span", { class: "quiet", id: "dropped" });
      main.append(h("h2", {}, "Journal"),
        h("div", { class: "tools" }, h("label", {}, "Show ", filter), pause, news, dropped), columns);

      // The last number that is shown, or known while the list rests.
      let [shown, known, epoch, told, open] = [0, 0, app.feed.epoch, 0, null];
      // The rows of requests whose answers have not ended, with what is filled in then.
      let waiting = [];
      let stopDetail = null;

      const isPaused = () => pause.getAttribute("aria-pressed") === "true";
      const accepts = (entry) =>
        filter.value === "all" || entry.matched === (filter.value === "matched");

      function rowOf(entry) {
        const cells = [h("span"), h("span"), h("span")];
        fillIn(entry, cells);
        if (entry.durationMs === null) waiting.push({ entry, cells });
        const [status, took, answer] = cells;
        const opener = button(entry.number, () => openEntry(entry.number), {
          "aria-expanded": String(open === entry.number), "aria-controls": "detail",
          "aria-label": `Request ${entry.number}: ${entry.method} ${entry.url}`,
        });
        return row([
          [opener, "number"], [timeOfDay(entry.at), "wide"], [entry.method, "code"],
          [entry.url, "code"], [status, "number"], [took, "number wide"],
          [answer, entry.matched ? null : "bad"],
        ], {
          class: `${entry.matched ? "" : "unmatched"}${open === entry.number ? " open" : ""}`,
          "data-number": entry.number,
        });
      }

      /** Fills in what is known of the answer. */
      function fillIn(entry, [status, took, answer]) {
        const from = entry.response === null ? ", from the network" : `, response ${entry.response}`;
        const text = entry.matched ? `${entry.scenario ?? ""} › ${entry.key}${from}` : "no stub answers";
        status.textContent = entry.status ?? "";
        took.textContent = entry.durationMs === null ? "…" : duration(entry.durationMs);
        answer.textContent = entry.remark ? `${text} (${entry.remark})` : text;
      }

      /** Completes the rows whose answers have ended; those that are gone are forgotten. */
      function complete() {
        const first = app.feed.entries[0]?.number ?? 0;
        waiting = waiting.filter(({ entry, cells }) => {
          if (entry.durationMs === null) return entry.number >= first;
          fillIn(entry, cells);
          return false;
        });
      }

      function togglePause() {
        pause.setAttribute("aria-pressed", String(!isPaused()));
        update();
      }

      function rebuild() {
        const { entries } = app.feed;
        shown = known = entries.at(-1)?.number ?? 0;
        waiting = [];
        body.replaceChildren(...entries.filter(accepts).reverse().map(rowOf));
      }

      /** Adds what is new at the top, and removes at the bottom what the ring has let go. */
      function update() {
        const { entries } = app.feed;
        if (epoch !== app.feed.epoch) {
          epoch = app.feed.epoch;
          return rebuild();
        }
        complete();
        const last = entries.at(-1)?.number ?? 0;
        tell(last - known);
        if (isPaused()) return;
        const added = entries.filter((entry) => entry.number > shown && accepts(entry));
        [shown, known] = [last, last];
        if (added.length > 0) body.prepend(...added.reverse().map(rowOf));
        const first = entries[0]?.number ?? 0;
        while (body.lastChild && Number(body.lastChild.dataset.number) < first) {
          body.lastChild.remove();
        }
      }

      /** Says how many came, now and then, so that a screen reader is not flooded. */
      function tell(count) {
        const now = performance.now();
        if (count === 0 || now - told < 2000) return;
        told = now;
        news.textContent = `${count} new`;
      }

      function mark(number, isOpen) {
        const line = body.querySelector(`[data-number="${number}"]`);
        line?.classList.toggle("open", isOpen);
        line?.querySelector("button").setAttribute("aria-expanded", String(isOpen));
        return line;
      }

      function close() {
        const line = mark(open, false);
        open = null;
        stopDetail?.();
        detail.hidden = true;
        detail.remove();
        (line?.querySelector("button") ?? filter).focus();
      }

      async function openEntry(number) {
        if (open === number) return close();
        if (open !== null) mark(open, false);
        stopDetail?.();
        stopDetail = null;
        open = number;
        mark(number, true);
        const { session } = app;
        try {
          const entry = await readEntry(session.id, number);
          const [parts, stop] = await describe(entry, session, app, close);
          if (open !== number) return stop();
          stopDetail = stop;
          fill(detail, parts);
        } catch (error) {
          fill(detail, alertOf(error), button("Close", close));
        }
        detail.setAttribute("aria-label", `Request ${number}`);
        detail.hidden = false;
        columns.append(detail);
      }

      /** Says how many requests the limit of the journal has dropped. */
      async function count() {
        if (!app.session) return;
        const told = await get(`sessions/${app.session.id}`).catch(() => null);
        if (!told) return;
        const text = told.dropped > 0
          ? `${told.dropped} older requests are no longer in the journal` : "";
        if (dropped.textContent !== text) dropped.textContent = text;
      }

      rebuild();
      count();
      const timer = setInterval(count, 2000);
      const stop = app.feed.watch(update);
      return () => {
        clearInterval(timer);
        stop();
        stopDetail?.();
      };
    }

    """##,
    "lists.js": ##"""
    // Lists: scenarios, sessions, and the stubs of a session by use.
    import { ask, get } from "./api.js";
    import { alertOf, button, fill, h, row, settled, table } from "./dom.js";

    /** The largest number of rows; a search finds the others. */
    const most = 500;

    function limited(caption, all) {
      return all.length > most ? `${caption}: the first ${most} of ${all.length}` : caption;
    }

    export function showScenarios(main, app) {
      const search = h("input", { type: "search", oninput: settled(150, show) });
      const tags = h("div", { class: "tools", role: "group", "aria-label": "Tags" });
      const result = h("div");
      const told = h("div", { role: "status" });
      const chosen = new Set();
      let scenarios = [];

      function tagButton(tag) {
        const toggle = button(tag, () => {
          if (!chosen.delete(tag)) chosen.add(tag);
          toggle.setAttribute("aria-pressed", String(chosen.has(tag)));
          show();
        }, { "aria-pressed": "false" });
        return toggle;
      }

      function show() {
        const words = search.value.toLowerCase().split(/\s+/);
        const found = scenarios.filter((it) => {
          const text = [it.scenario, it.summary ?? "", ...it.tags].join(" ").toLowerCase();
          return words.every((word) => text.includes(word))
            && [...chosen].every((tag) => it.tags.includes(tag));
        });
        fill(result, table(limited("Scenarios of the catalog", found),
          ["Scenario", "Summary", "Tags", "Includes", ["Stubs", "number"], "Session"],
          found.slice(0, most).map((it) => row([
            h("a", { href: `#edit/${encodeURIComponent(it.scenario)}` }, it.scenario),
            it.summary ?? "", it.tags.map((tag) => h("span", { class: "tag" }, tag)),
            it.includes.join(", "),
            [it.includes.length ? `${it.stubs}+${it.includedStubs ?? "?"}` : it.stubs, "number"],
            button("Start", () => start(it.scenario), {
              "aria-label": `Start a session of ${it.scenario}`,
            }),
          ]))));
      }

      async function start(scenario) {
        try {
          const session = await startSession(app, { scenario });
          fill(told, "Started: ", h("a", { href: session.baseURL }, session.baseURL));
        } catch (error) {
          fill(told, alertOf(error));
        }
      }

      main.append(h("h2", {}, "Scenarios"), h("div", { class: "tools" },
        h("label", {}, "Search ", search), h("a", { href: "#edit" }, "New scenario")), tags, told,
        result);
      get("scenarios").then((all) => {
        scenarios = all;
        fill(tags, [...new Set(all.flatMap((it) => it.tags))].sort().slice(0, 40).map(tagButton));
        show();
      }).catch((error) => fill(result, alertOf(error)));
    }

    async function startSession(app, settings) {
      const session = JSON.parse((await ask("POST", "sessions", settings)).text);
      await app.refresh(session.id);
      return session;
    }

    export function showSessions(main, app) {
      const scenario = h("input", { required: true, list: "names", autocomplete: "off" });
      const name = h("input", { autocomplete: "off" });
      const pace = h("select", {}, ["real", "instant"].map((it) => h("option", {}, it)));
      const names = h("datalist", { id: "names" });
      const told = h("div", { role: "status" });
      const list = table("Sessions, each with a run of its own",
        ["Session", "Scenario", "Pace", ["Requests", "number"], "Address", "Actions"], []);
      const flows = h("section", { hidden: true });
      const body = list.tBodies[0];
      const counts = new Map();

      /** Adds, removes and updates rows in place, so that the focus stays where it is. */
      function show() {
        const ids = new Set(app.sessions.map(({ id }) => id));
        for (const [id, { line }] of counts) {
          if (ids.has(id)) continue;
          line.remove();
          counts.delete(id);
        }
        for (const session of app.sessions) {
          if (!counts.has(session.id)) {
            const made = rowOf(session);
            counts.set(session.id, made);
            body.append(made.line);
          }
          const { count } = counts.get(session.id);
          if (count.textContent !== String(session.requests)) count.textContent = session.requests;
        }
      }

      function rowOf(session) {
        const label = session.name ?? session.id;
        const count = h("span");
        const line = row([
          session.name ? `${session.name} (${session.id})` : session.id,
          [session.scenario, session.overlays.join(", ")].filter(Boolean).join(" + "), session.pace,
          [count, "number"], h("a", { href: session.baseURL }, session.baseURL),
          h("div", { class: "tools" },
            button("Journal", () => showJournalOf(session), { "aria-label": `Journal of ${label}` }),
            button("Flows", () => showFlows(session), { "aria-label": `Flows of ${label}` }),
            button("Reset", () => act(reset, session), { "aria-label": `Reset ${label}` }),
            session.hostURL === null ? null
              : button("End", () => act(end, session), { "aria-label": `End ${label}` })),
        ]);
        return { line, count };
      }

      function showJournalOf(session) {
        app.refresh(session.id).then(() => { location.hash = "#journal"; });
      }

      /** The states of a session's flows, each with a field that sets it. */
      async function showFlows(session) {
        const label = session.name ?? session.id;
        try {
          const path = `sessions/${session.id}/flows`;
          const states = Object.entries(await get(path)).sort();
          fill(flows, h("h3", { tabindex: -1 }, `Flows of ${label}`),
            states.length === 0 ? h("p", {}, "The scenario has no flows.") : null,
            states.map(([name, state]) => flowOf(`${path}/${encodeURIComponent(name)}`, name, state)),
            button("Close", () => { flows.hidden = true; }));
          flows.setAttribute("aria-label", `Flows of ${label}`);
          flows.hidden = false;
          flows.querySelector("h3").focus();
        } catch (error) {
          fill(told, alertOf(error));
        }
      }

      function flowOf(path, name, state) {
        const input = h("input", { value: state, required: true, autocomplete: "off" });
        const set = async (event) => {
          event.preventDefault();
          try {
            await ask("PUT", path, { state: input.value });
            fill(told, `${name} is ${input.value} now.`);
          } catch (error) {
            fill(told, alertOf(error));
          }
        };
        return h("form", { onsubmit: set, class: "tools" },
          h("label", {}, `${name} `, input), h("button", { "aria-label": `Set ${name}` }, "Set"));
      }

      async function act(action, session) {
        try {
          fill(told, await action(session));
          await refresh();
        } catch (error) {
          fill(told, alertOf(error));
        }
      }

      async function reset(session) {
        await ask("POST", `sessions/${session.id}/reset`, {});
        if (app.followed === session.id) app.follow();
        return `${session.name ?? session.id} begins anew.`;
      }

      async function end(session) {
        const { problems } = JSON.parse((await ask("DELETE", `sessions/${session.id}`)).text);
        const label = session.name ?? session.id;
        if (problems.length === 0) return `${label} ended without problems.`;
        return [
          h("h3", {}, `${label} ended with ${problems.length} problems`),
          problems.map(({ message }) => h("pre", { class: "problem" }, message)),
        ];
      }

      async function refresh() {
        await app.refresh();
        show();
      }

      async function submit(event) {
        event.preventDefault();
        const settings = { scenario: scenario.value, pace: pace.value };
        if (name.value) settings.name = name.value;
        try {
          const session = await startSession(app, settings);
          fill(told, "Started: ", h("a", { href: session.baseURL }, session.baseURL));
          show();
        } catch (error) {
          fill(told, alertOf(error));
        }
      }

      main.append(h("h2", {}, "Sessions"), told, list, flows,
        h("form", { onsubmit: submit, "aria-labelledby": "new" },
          h("h3", { id: "new" }, "Start a session"), h("div", { class: "tools" },
            h("label", {}, "Scenario ", scenario), h("label", {}, "Name ", name),
            h("label", {}, "Pace ", pace), h("button", {}, "Start")), names));
      refresh().catch((error) => fill(told, alertOf(error)));
      get("scenarios").then((all) => fill(names, all.slice(0, most).map(
        (it) => h("option", { value: it.scenario })))).catch(() => {});
      const timer = setInterval(() => refresh().catch(() => {}), 2000);
      return () => clearInterval(timer);
    }

    export function showCoverage(main, app) {
      const unused = h("input", { type: "checkbox", onchange: () => show() });
      const unreachable = h("p", { role: "status" });
      const result = h("div");
      let coverage = null;

      function show() {
        const { stubs, scenario, used } = coverage;
        const found = stubs.filter(({ answers }) => !unused.checked || answers === 0)
          .sort((one, other) => other.answers - one.answers);
        const lost = stubs.filter(({ shadowedBy }) => shadowedBy !== null).length;
        unreachable.textContent = lost === 0 ? "" : `${lost} ${lost === 1 ? "stub" : "stubs"} can never answer.`;
        const caption = `${used} of ${stubs.length} stubs of ${scenario} have answered`;
        fill(result, table(limited(caption, found),
          ["Stub", "Request", "Scenario", ["Responses", "number"], ["Answers", "number"]],
          found.slice(0, most).map((it) => row([
            h("a", {
              href: `#edit/${[it.scenario, it.key].map(encodeURIComponent).join("/")}`,
            }, it.key), [it.request, "code"], it.scenario, [it.responses, "number"],
            [answersOf(it), it.answers === 0 ? "number bad" : "number"],
          ]))));
      }

      function answersOf({ answers, shadowedBy }) {
        if (shadowedBy !== null) return `never can: “${shadowedBy}” always comes first`;
        return answers === 0 ? "never" : answers;
      }

      let [shownText, isAsking] = ["", false];
      async function refresh() {
        if (isAsking || !app.session) return;
        isAsking = true;
        try {
          const { text } = await ask("GET", `sessions/${app.session.id}/coverage`);
          if (text === shownText) return;
          [shownText, coverage] = [text, JSON.parse(text)];
          show();
        } catch (error) {
          fill(result, alertOf(error));
        } finally {
          isAsking = false;
        }
      }

      main.append(h("h2", {}, "Coverage"),
        h("div", { class: "tools" }, h("label", {}, unused, "Only stubs that never answered")),
        unreachable, result);
      refresh();
      // Less often than rows of the journal: all stubs are counted for it.
      const timer = setInterval(refresh, 1000);
      return () => clearInterval(timer);
    }

    """##,
    "request.js": ##"""
    // One request of a journal: what was sent, and what became of it.
    import { bytes, get, scenarioPath } from "./api.js";
    import { button, copyButton, differences, fill, h, nearMisses, row, table } from "./dom.js";
    import { curlCommand, decoded, duration, matchCommand, pretty, timeOfDay } from "./text.js";

    /** How often what becomes of a request is read again while it is shown, in milliseconds. */
    const pause = 1000;

    /** A request of the journal with its content. */
    export async function readEntry(session, number) {
      const path = pathOf(session, number);
      const entry = await get(path);
      const content = entry.requestBytes > 0 ? await bytes(`${path}/request-body`) : null;
      const text = content === null ? "" : decoded(content);
      return { ...entry, text };
    }

    const pathOf = (session, number) => `sessions/${session}/journal/${number}`;

    /** The elements that show a request, and what ends their updates. */
    export async function describe(entry, session, app, close) {
      const path = pathOf(session.id, entry.number);
      const answer = entry.matched
        ? await answerOf(entry) : nearMisses(await get(`${path}/near-misses`));
      const text = entry.text === null ? `${entry.requestBytes} bytes that are not text` : entry.text;
      const outcome = h("div", { id: "outcome" });
      return [[
        h("h3", {}, `Request ${entry.number}`),
        h("p", { class: "code" }, `${entry.method} ${entry.url}`),
        h("p", { class: "quiet" }, "Came at ",
          h("time", { datetime: entry.at, title: entry.at }, timeOfDay(entry.at))),
        h("div", { class: "tools" },
          button("Make a stub of it", async () => makeStub(entry, session, app)),
          copyButton("Copy as curl", () => curlCommand(entry, entry.text, session.baseURL)),
          copyButton("Copy stubdb match", () =>
            matchCommand(session.scenario, entry, entry.text)),
          button("Close", close)),
        h("details", {}, h("summary", {}, `${entry.headers.length} header fields`),
          h("dl", { class: "code" }, entry.headers.flatMap(
            ([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))),
        text ? h("pre", { tabindex: 0, "aria-label": "Content" }, pretty(text)) : null,
        h("h3", {}, entry.matched ? "Answer" : "No stub answers"), outcome, answer,
      ], keepCurrent(outcome, path, entry)];
    }

    /** Shows what became of a request, and again when that changes; the result ends it. */
    function keepCurrent(outcome, path, entry) {
      let shown = "";
      const show = ({ status, durationMs, remark, callbacks, frames, frameCount }) => {
        const text = JSON.stringify([status, durationMs, remark, callbacks, frames, frameCount]);
        if (text === shown) return;
        shown = text;
        fill(outcome, h("p", {}, ending(status, durationMs)),
          remark ? h("p", {}, `The client got: ${remark}.`) : null,
          callbacks.length > 0 ? callbacksOf(callbacks) : null,
          frames === null ? null : framesOf(frames, frameCount));
      };
      show(entry);
      let isAsking = false;
      const timer = setInterval(async () => {
        if (isAsking) return;
        isAsking = true;
        const current = await get(path).catch(() => null);
        // After a reset, the number may be that of another request.
        if (current?.at === entry.at) show(current);
        isAsking = false;
      }, pause);
      return () => clearInterval(timer);
    }

    function ending(status, durationMs) {
      if (durationMs === null) return "The answer has not ended yet.";
      return status === null
        ? `No status; it took ${duration(durationMs)}` : `Status ${status} after ${duration(durationMs)}`;
    }

    /** The calls after the answer, and what became of them. */
    function callbacksOf(callbacks) {
      return table("Callbacks", ["Call", ["Turn", "number"], "Outcome"], callbacks.map((it) => row([
        [`${it.method} ${it.url}`, "code"], [it.turn, "number"],
        [outcomeOf(it), { answered: "good", pending: "quiet" }[it.outcome] ?? "bad"],
      ])));
    }

    function outcomeOf({ outcome, status, durationMs, reason }) {
      switch (outcome) {
        case "answered": return `answered: status ${status} after ${duration(durationMs)}`;
        case "pending": return "no outcome yet";
        default: return `${outcome}: ${reason}`;
      }
    }

    /** The messages of a WebSocket, and what differs from what the script expects. */
    function framesOf(frames, count) {
      const caption = count > frames.length
        ? `The last ${frames.length} of ${count} messages` : "Messages of the WebSocket";
      return [
        table(caption, [["Frame", "number"], "Outcome", "Message"], frames.map((it) => row([
          [it.frame ?? "other", "number"],
          [it.outcome, it.outcome.startsWith("not ") ? "bad" : null], [it.text, "code"],
        ]))),
        frames.filter(({ mismatches }) => mismatches.length > 0).map((it) => differences(
          `Frame ${it.frame ?? ""} expects something else`, it.mismatches)),
      ];
    }

    /** The stub that answered, as it is in the catalog now. */
    async function answerOf(entry) {
      if (entry.scenario === null) return h("p", {}, entry.key);
      const path = [entry.scenario, entry.key].map(encodeURIComponent).join("/");
      const link = h("a", { href: `#edit/${path}` }, `${entry.scenario} › ${entry.key}`);
      try {
        const response = await responseOf(entry);
        return [
          h("p", {}, `Response ${entry.response} of `, link),
          h("pre", { tabindex: 0, "aria-label": "Response" },
            JSON.stringify(response, null, 2)),
        ];
      } catch {
        return h("p", {}, link, ", which is no longer in the catalog");
      }
    }

    async function responseOf(entry) {
      const stub = await get(
        `${scenarioPath(entry.scenario)}/stubs/${encodeURIComponent(entry.key)}`);
      return stub.responses[(entry.response ?? 1) - 1];
    }

    /** Opens the editor with a stub for this very request. */
    export async function makeStub(entry, session, app) {
      let response = { status: 200, json: {} };
      if (entry.matched && entry.scenario !== null) {
        response = await responseOf(entry).catch(() => response);
      }
      const request = { method: entry.method, url: entry.url };
      let raw = null;
      if (entry.text) {
        try {
          JSON.parse(entry.text);
          raw = entry.text;
          request.body = { equalToJson: "@content@" };
        } catch {
          request.body = { equalTo: entry.text };
        }
      }
      const stub = { key: `request-${entry.number}`, request, responses: [response] };
      // Numbers stay as they were sent, which JavaScript might round.
      app.draft = JSON.stringify(stub, null, 2)
        .replace('"@content@"', () => raw?.trim() ?? '"@content@"');
      location.hash = `#edit/${encodeURIComponent(session.scenario)}`;
    }

    """##,
    "review.js": ##"""
    // The requests that no stub answers, grouped, to be made into stubs.
    import { ask, get, scenarioPath } from "./api.js";
    import { alertOf, button, fill, h, row, table } from "./dom.js";
    import { makeStub, readEntry } from "./request.js";

    /** The largest number of groups that are shown. */
    const most = 500;
    /** The largest number of requests that are looked through at once. */
    const mostAtOnce = 20;

    export function showReview(main, app) {
      const told = h("div", { role: "status" });
      const result = h("div");
      const list = table("Requests that no stub answers, newest first",
        ["Request", ["Times", "number"], ["Last", "number"], "Actions"], []);
      const body = list.tBodies[0];
      const { session } = app;
      // Groups by method and URL without its query, in the order of their last requests.
      const groups = new Map();
      let [after, dropped, isAsking, tag] = [0, 0, false, null];

      /** Reads what has come since; the server sends pages. */
      async function refresh() {
        if (isAsking || !session) return;
        isAsking = true;
        try {
          for (let pages = 0; pages < mostAtOnce; pages += 1) {
            const path = `sessions/${session.id}/journal?matched=false&limit=1000&after=${after}`;
            const page = await get(path);
            for (const event of page.events) add(event);
            dropped += page.dropped;
            if (page.next <= after) break;
            after = page.next;
          }
          show();
          await takeOutAnswered();
        } catch (error) {
          fill(result, alertOf(error));
        } finally {
          isAsking = false;
        }
      }

      /** Takes out the groups whose last request a stub answers now, if the scenario has changed. */
      async function takeOutAnswered() {
        const { scenario } = session;
        const current = await ask("GET", scenarioPath(scenario)).catch(() => null);
        if (current === null || current.tag === tag) return;
        tag = current.tag;
        for (const [key, group] of [...groups]) {
          const { method, url, headers, text } = await readEntry(session.id, group.number);
          if (text === null) continue;
          const request = { method, url, headers, ...(text ? { text } : {}) };
          const { matched } = await askWhether({ scenario, request });
          if (matched && groups.get(key)?.number === group.number) putAway(key);
        }
        show();
      }

      const askWhether = async (question) => JSON.parse((await ask("POST", "match", question)).text);

      function putAway(key) {
        groups.get(key)?.line?.row.remove();
        groups.delete(key);
      }

      function add({ number, method, url }) {
        const place = url.replace(/[?#].*$/, "");
        const key = `${method} ${place}`;
        const group = groups.get(key) ?? { method, place, count: 0, line: null, url, isOneURL: true };
        groups.delete(key);
        groups.set(key, {
          ...group, count: group.count + 1, number, isNew: true,
          isOneURL: group.isOneURL && group.url === url,
        });
      }

      /** Adds and updates rows in place, so that the focus stays where it is. */
      function show() {
        for (const [key, group] of groups) {
          if (!group.isNew) continue;
          const made = group.line ?? lineOf(key);
          made.count.textContent = group.count;
          made.number.textContent = group.number;
          if (!group.line?.row.contains(document.activeElement)) body.prepend(made.row);
          groups.set(key, { ...group, line: made, isNew: false });
        }
        while (body.children.length > most) body.lastChild.remove();
        const count = groups.size;
        fill(told, count === 0 ? "Every request so far was answered by a stub."
          : `${count} ${count === 1 ? "request waits" : "different requests wait"} for a stub.`,
        dropped > 0 ? ` ${dropped} older requests are no longer in the journal.` : "");
      }

      function lineOf(key) {
        const { method, place } = groups.get(key);
        const [count, number] = [h("span"), h("span")];
        const make = button("Make a stub of it", async () => {
          try {
            const group = groups.get(key);
            const entry = await readEntry(session.id, group.number);
            // A stub for all requests of the group, and not for the last one only.
            if (!group.isOneURL) entry.url = group.place;
            await makeStub(entry, session, app);
          } catch (error) {
            fill(result, alertOf(error));
          }
        }, { "aria-label": `Make a stub of ${method} ${place}` });
        const away = button("Put away", () => {
          putAway(key);
          show();
        }, { "aria-label": `Put away ${method} ${place} until it is asked again` });
        return {
          count, number,
          row: row([[`${method} ${place}`, "code"], [count, "number"], [number, "number"],
            h("div", { class: "tools" }, make, away)]),
        };
      }

      main.append(h("h2", {}, "Unmatched"), told, result, list);
      refresh();
      const timer = setInterval(refresh, 1000);
      return () => clearInterval(timer);
    }

    """##,
    "style.css": ##"""
    :root {
      color-scheme: light dark;
      --text: light-dark(#1b1f24, #e4e7eb);
      --quiet: light-dark(#57606a, #9aa4af);
      --ground: light-dark(#ffffff, #14171b);
      --raised: light-dark(#f4f6f8, #1d2126);
      --line: light-dark(#d0d7de, #3a424b);
      --accent: light-dark(#0757b8, #79b8ff);
      --good: light-dark(#116329, #6fdd8b);
      --bad: light-dark(#b31d28, #ff9a94);
      --mark: light-dark(#fff0c2, #4d3c06);
      font: 15px/1.45 system-ui, sans-serif;
    }

    * { box-sizing: border-box; }
    body { margin: 0; color: var(--text); background: var(--ground); }
    h1 { font-size: 1.1rem; margin: 0; }
    h2 { font-size: 1.25rem; margin: 0 0 0.75rem; }
    h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
    [tabindex="-1"]:focus-visible { outline: none; }

    header {
      display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem;
      padding: 0.6rem 1rem; background: var(--raised); border-bottom: 1px solid var(--line);
    }
    header p { margin: 0 0 0 auto; }
    header select { max-width: 22rem; }
    nav { display: flex; flex-wrap: wrap; gap: 0.25rem; }
    nav a { padding: 0.25rem 0.6rem; border-radius: 6px; text-decoration: none; }
    nav a[aria-current] { background: var(--ground); box-shadow: inset 0 0 0 1px var(--line); }
    #connection::before { content: "● "; color: var(--quiet); }
    #connection.live::before { color: var(--good); }
    #connection.lost::before { color: var(--bad); }
    main { padding: 1rem; outline: none; }

    button, input, select, textarea {
      font: inherit; color: inherit; background: var(--ground);
      border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.6rem;
    }
    select { max-width: 100%; }
    button { cursor: pointer; background: var(--raised); }
    button[aria-pressed="true"] { background: var(--accent); color: var(--ground); }
    textarea, pre, code, .code { font: 13px/1.5 ui-monospace, monospace; }
    textarea { display: block; width: 100%; padding: 0.5rem; resize: vertical; white-space: pre; }
    pre {
      margin: 0.25rem 0; padding: 0.5rem; overflow: auto; max-height: 22rem;
      background: var(--raised); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere;
    }
    .tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin: 0.5rem 0; }
    td .tools { margin: 0; }
    .quiet { color: var(--quiet); }
    .good { color: var(--good); }
    .bad { color: var(--bad); }
    .problem { border-left: 3px solid var(--bad); padding: 0.25rem 0.75rem; margin: 0.5rem 0; }
    .problem:empty { display: none; }
    .tag { padding: 0 0.4rem; margin-right: 0.25rem; border-radius: 6px; background: var(--raised); }

    table { width: 100%; border-collapse: collapse; }
    .columns table { table-layout: fixed; }
    #outcome th.number { width: 5rem; }
    caption { text-align: left; color: var(--quiet); padding: 0.25rem 0; }
    th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; }
    tr { border-bottom: 1px solid var(--line); }
    td { overflow-wrap: anywhere; }
    .number { text-align: right; font-variant-numeric: tabular-nums; }

    .columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    .columns > :only-child { grid-column: 1 / -1; }
    @media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }

    /* Each row is laid out by itself, so that rows out of sight cost nothing. */
    .journal, .journal thead, .journal tbody { display: block; }
    .journal { container-type: inline-size; }
    .journal tr {
      display: grid; grid-template-columns: 4.5rem 7rem 5rem minmax(0, 3fr) 4rem 5.5rem minmax(0, 2fr);
      content-visibility: auto; contain-intrinsic-size: auto 2.2rem;
    }
    .journal tr.unmatched { box-shadow: inset 3px 0 var(--bad); }
    .journal tr.open { background: var(--raised); }
    .journal caption { display: block; }
    /* Beside a request, the list leaves out what is shown there. */
    @container (max-width: 50rem) {
      .journal tr { grid-template-columns: 4rem 5rem minmax(0, 3fr) 4.5rem minmax(0, 2fr); }
      .journal .wide { display: none; }
    }

    .lines { display: block; margin: 0; padding: 0.5rem; }
    .lines > * { display: block; min-height: 1.5em; text-decoration: none; }
    .lines > ins, .lines > del { background: var(--mark); }
    .lines > ins::before { content: "+ "; }
    .lines > del::before { content: "− "; }
    .lines > span::before { content: "  "; }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 1rem; margin: 0; }
    dd { margin: 0; overflow-wrap: anywhere; }
    form label { display: block; margin: 0.4rem 0; }
    form input:not([type="checkbox"]) { width: 100%; }
    .tools label { display: inline-flex; gap: 0.4rem; align-items: center; margin: 0; }

    @media (prefers-reduced-motion: no-preference) {
      button, nav a { transition: background-color 0.12s; }
    }

    """##,
    "text.js": ##"""
    // Works on text: places in JSON, changed lines, commands of the shell.

    /**
     * Reads JSON and gives the range of each value by its pointer, and the offset of the first error or null.
     */
    export function outline(text) {
      const places = new Map();
      let at = 0;
      const skip = () => { while (/\s/.test(text[at] ?? "")) at += 1; };
      const take = (pattern) => {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        if (!found) throw at;
        at = pattern.lastIndex;
        return found[0];
      };
      const string = () => take(/"(?:[^"\\\u0000-\u001f]|\\.)*"/y);
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
            const key = JSON.parse(string());
            skip();
            take(/:/y);
            value(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
          });
        } else if (text[at] === "[") list("]", (index) => value(`${pointer}/${index}`));
        else if (text[at] === '"') string();
        else take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
        places.set(pointer, [start, at]);
      };
      try {
        value("");
        skip();
        return { places, error: at < text.length ? at : null };
      } catch (offset) {
        return { places, error: typeof offset === "number" ? offset : at };
      }
    }

    /** The range of the value at a pointer, or of what is nearest around it. */
    export function placeOf(text, pointer) {
      const { places } = outline(text);
      for (let rest = pointer; ; rest = rest.slice(0, rest.lastIndexOf("/"))) {
        if (places.has(rest)) return places.get(rest);
        if (rest === "") return [0, 0];
      }
    }

    /** A document with one more stub at the end of its list. */
    export function adding(stub, text) {
      const [start, end] = placeOf(text, "/stubs");
      const isEmpty = /^\[\s*\]$/.test(text.slice(start, end));
      const before = text.slice(0, end - 1).trimEnd();
      const shown = stub.replaceAll("\n", "\n    ");
      return `${before}${isEmpty ? "" : ","}\n    ${shown}\n  ]${text.slice(end)}`;
    }

    /** The lines of two texts: `[kind, line]`, where a kind is "same", "old" or "new". */
    export function changes(before, after) {
      const [old, now] = [before.split("\n"), after.split("\n")];
      let [start, tail] = [0, 0];
      while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
      while (tail < old.length - start && tail < now.length - start
        && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
      const same = (line) => ["same", line];
      const middle = changedLines(
        old.slice(start, old.length - tail), now.slice(start, now.length - tail));
      return [
        ...now.slice(0, start).map(same), ...middle, ...now.slice(now.length - tail).map(same),
      ];
    }

    function changedLines(old, now) {
      const all = [...old.map((line) => ["old", line]), ...now.map((line) => ["new", line])];
      if (old.length * now.length > 1_000_000) return all;
      const common = old.map(() => new Uint16Array(now.length + 1));
      common.push(new Uint16Array(now.length + 1));
      for (let i = old.length - 1; i >= 0; i -= 1) {
        for (let j = now.length - 1; j >= 0; j -= 1) {
          common[i][j] = old[i] === now[j]
            ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
        }
      }
      const result = [];
      let [i, j] = [0, 0];
      while (i < old.length || j < now.length) {
        if (i < old.length && j < now.length && old[i] === now[j]) {
          result.push(["same", now[j]]);
          i += 1;
          j += 1;
        } else if (j === now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
          result.push(["old", old[i++]]);
        } else {
          result.push(["new", now[j++]]);
        }
      }
      return result;
    }

    const quoted = (word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

    /** The fields that a client sets by itself. */
    const ownFields = new Set([
      "accept-encoding", "connection", "content-length", "host", "keep-alive", "te",
      "transfer-encoding", "upgrade",
    ]);

    /** The fields that curl adds unless it is told otherwise. */
    const curlFields = ["accept", "user-agent"];

    const fieldsOf = (entry) => entry.headers.filter(([name]) => !ownFields.has(name.toLowerCase()));

    /** Sends the request of an entry to the server again, just as it was. */
    export function curlCommand(entry, body, baseURL) {
      const target = entry.url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
      const words = ["curl", "--globoff", "--path-as-is"];
      // With another word for the method, curl would wait for content that an answer to HEAD does not have.
      if (entry.method === "HEAD") words.push("--head");
      else if (entry.method !== "GET" || body) words.push("-X", entry.method);
      words.push(baseURL + target);
      for (const [name, value] of fieldsOf(entry)) {
        words.push("-H", value === "" ? `${name};` : `${name}: ${value}`);
      }
      const own = body ? [...curlFields, "content-type", "expect"] : curlFields;
      for (const name of own) {
        if (!entry.headers.some(([other]) => other.toLowerCase() === name)) words.push("-H", `${name}:`);
      }
      if (body && entry.method !== "HEAD") words.push("--data-raw", body);
      return words.map(quoted).join(" ");
    }

    /** Asks on the command line which stub answers the request of an entry. */
    export function matchCommand(scenario, entry, body) {
      const words = ["stubdb", "match", scenario, entry.method, entry.url];
      for (const [name, value] of fieldsOf(entry)) words.push("-H", `${name}: ${value}`);
      // A text that begins with @ would name a file, and one that begins with a dash an option.
      if (body) words.push(`--data=${body.startsWith("@") ? "@" : ""}${body}`);
      return words.map(quoted).join(" ");
    }

    const digits = (number, count) => String(number).padStart(count, "0");

    /** The time of day of a date, where the browser is. */
    export function timeOfDay(text) {
      const date = new Date(text);
      const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
      return `${parts.map((it) => digits(it, 2)).join(":")}.${digits(date.getMilliseconds(), 3)}`;
    }

    /** A time that something took; empty if it is not known. */
    export function duration(milliseconds) {
      if (milliseconds === null) return "";
      return milliseconds < 1000
        ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
    }

    /** The content of a request as text; null if it is not text. */
    export function decoded(content) {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(content);
      } catch {
        return null;
      }
    }

    /** JSON with lines and indentation, anything else as it is. */
    export function pretty(text) {
      try {
        return JSON.stringify(JSON.parse(text), null, 2);
      } catch {
        return text;
      }
    }

    """##,
  ]
}
#endif
