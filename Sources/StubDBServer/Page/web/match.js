// A request, of the person or of the journal, and what answers it.
import { placeOf } from "./document.js";
import { alertOf, fill, h, nearMisses } from "./dom.js";
import { questionOf, readEntry } from "./request.js";
import { pretty } from "./text.js";

/** Makes the fields of the request; `changed` is called after each change. What they have stays with the page. */
export function makeMatch(app, asked) {
  const changed = () => {
    // What is edited is text; until then the content is what came, byte for byte.
    if (kept && content.value !== kept.text) kept = null;
    note.textContent = kept?.note ?? "";
    app.question = { method: method.value, url: url.value, fields: fields.value, content: content.value, kept };
    asked();
  };
  const input = (properties) => h("input", {
    oninput: changed, autocomplete: "off", spellcheck: "false", ...properties,
  });
  const method = input({ value: "GET", size: 8 });
  const url = input({ placeholder: "https://api.example.test/v1/me" });
  const fields = h("textarea", { rows: 3, oninput: changed, placeholder: "Accept: */*" });
  const content = h("textarea", { rows: 5, oninput: changed });
  const result = h("div", { role: "status", id: "answer" });
  let shown = null;
  const wrong = h("div");
  const entries = h("select", { onchange: take, onfocus: list });
  const note = h("p", { class: "quiet" });
  /** The content of a request of the journal, as base64, beside the text that shows it; null for what was typed. */
  let kept = null;
  // The number of the last request in the list.
  let last = null;

  /** Lists the requests of the journal as they come; an open list rests. */
  function list() {
    const listed = app.feed.listing?.entries ?? [];
    const newest = listed.at(-1)?.number ?? 0;
    if (newest === last) return;
    const chosen = entries.value;
    last = newest;
    fill(entries, h("option", { value: "" }, "—"),
      listed.slice(-50).reverse().map((it) => h("option", { value: it.number },
        `${it.number}. ${it.method} ${it.url.slice(0, 80)}`)));
    entries.value = chosen;
    if (entries.selectedIndex < 0) entries.value = "";
  }
  const stop = app.feed.watch(() => { if (document.activeElement !== entries) list(); });
  list();

  function put(entry) {
    [method.value, url.value, content.value] = [entry.method, entry.url, entry.text ?? ""];
    kept = entry.content.length === 0 ? null : {
      text: content.value, base64: questionOf(entry).base64,
      note: entry.text === null ? "Its content is not text, and goes along as it came." : "",
    };
    fields.value = entry.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
    changed();
  }

  async function take() {
    if (!entries.value) return;
    try {
      put(await readEntry(app.session.id, entries.value));
    } catch (problem) {
      fill(wrong, alertOf(problem));
    }
  }

  const element = h("section", { "aria-labelledby": "matching" },
    h("h3", { id: "matching" }, "What it answers"), h("form", {
      onsubmit: (event) => event.preventDefault(),
    }, h("label", {}, "From the journal ", entries), h("div", { class: "pair" },
      h("label", {}, "Method ", method), h("label", {}, "URL ", url)), h("label", {}, "Header fields, one a line", fields),
    h("label", {}, "Content", content), note), wrong, result);

  if (app.question) {
    [method.value, url.value] = [app.question.method, app.question.url];
    [fields.value, content.value, kept] = [app.question.fields, app.question.content, app.question.kept];
    note.textContent = kept?.note ?? "";
  }

  return {
    element, stop, put,
    question() {
      const headers = fields.value.split("\n").filter((line) => line.includes(":"))
        .map((line) => [line.slice(0, line.indexOf(":")).trim(),
          line.slice(line.indexOf(":") + 1).trim()]);
      const isGiven = url.value !== "";
      const request = {
        method: method.value || "GET", url: isGiven ? url.value : "http://localhost/", headers,
      };
      if (kept) request.base64 = kept.base64;
      else if (content.value) request.text = content.value;
      return { request, isGiven };
    },
    /** Shows what the API says, as text: JavaScript would round its numbers; null for nothing. */
    show(text) {
      const odd = fields.value.split("\n").find((line) => line.trim() && !line.includes(":"));
      fill(wrong, odd ? alertOf(new Error(`The header field “${odd.trim()}” has no colon, and is left out.`)) : null);
      // An answer that stays is not announced again.
      if (text === shown) return;
      shown = text;
      const answer = text === null ? null : JSON.parse(text);
      if (answer === null) fill(result);
      else if (!answer.matched) {
        fill(result, h("p", { class: "bad" }, "No stub answers."), nearMisses(answer.nearMisses));
      } else {
        fill(result,
          h("p", { class: "good" }, `Stub “${answer.key}” of ${answer.scenario} answers.`),
          h("pre", { tabindex: 0, "aria-label": "Response" },
            pretty(text.slice(...placeOf(text, "/response")))));
      }
    },
    fail(problem) {
      shown = null;
      fill(result);
      fill(wrong, alertOf(problem));
    },
  };
}
