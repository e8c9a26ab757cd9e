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
