// The frequent things of a stub as fields; the document beside them changes with each.
import { isObject, keysOf, placeOf, removedAt, setAt, stubsOf } from "./document.js";
import { button, fill, h, keepingFocus } from "./dom.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * Makes the form of a stub. `textOf` gives the document, `edit` puts another one in its place, `select` shows another
 * stub, and `undo` offers to take a removal back.
 */
export function makeForm({ textOf, edit, select, undo }) {
  const element = h("section", { "aria-label": "Stub" });
  /** Which stub and which of its responses are shown. */
  let [index, shown] = [-1, 0];
  /** What is typed and not in the document, since it cannot be: the field, and what is wrong; null for nothing. */
  let problem = null;

  const at = (pointer) => `/stubs/${index}${pointer}`;

  /** Writes a value, or removes it if there is none. */
  function write(pointer, value) {
    const text = textOf();
    edit(value === undefined ? removedAt(text, at(pointer)) : setAt(text, at(pointer), JSON.stringify(value, null, 2)));
  }

  const show = (key) => keepingFocus(element, () => fillIn(key));

  function fillIn(key) {
    problem = null;
    const stubs = stubsOf(textOf());
    if (!stubs) {
      return fill(element, h("p", { class: "quiet" }, "The document is not JSON at present; the form comes back when it is."));
    }
    const found = stubs.findIndex((it) => it.key === key);
    if (found !== index) shown = 0;
    index = found;
    const stub = stubs[index];
    if (!stub) return fill(element, h("p", { class: "quiet" }, "Choose a stub, or add one."));
    fill(element, h("h3", { tabindex: -1 }, `Stub ${stub.key}`), partsOfStub(stub, key));
  }

  /** Shows another response, or another stub, whose name the focus then is at. */
  function go(body) {
    body();
    element.querySelector("h3")?.focus();
  }

  function partsOfStub(stub, key) {
    const request = isObject(stub.request) ? stub.request : {};
    const responses = Array.isArray(stub.responses) ? stub.responses : [];
    shown = Math.min(shown, Math.max(0, responses.length - 1));
    return [
      h("div", { class: "tools" }, button("Duplicate stub", () => go(() => duplicate(stub))),
        button("Delete stub", () => remove(key))),
      field("Key", h("input", {
        value: stub.key, required: true, oninput: ({ target }) => target.setCustomValidity(""),
        onchange: (event) => rename(stub, event.target),
      })),
      h("div", { class: "pair" }, methodOf(request.method), isObject(stub.resource) ? resourceOf(stub.resource) : urlOf(request)),
      othersOf(request, stub),
      responses.length > 0 ? null : h("p", { class: "quiet" }, isObject(stub.resource)
        ? "It keeps items, and answers as a resource does." : "Without a response it answers an empty 200."),
      h("div", { class: "tools" },
        responses.length > 1 ? responses.map((_, number) => button(`Response ${number + 1}`, () => {
          shown = number;
          show(stub.key);
        }, { "aria-pressed": String(number === shown) })) : h("h4", {}, "Response"),
        button("Add response", () => {
          shown = addResponse(responses.length, isObject(stub.resource));
          show(stub.key);
        }),
        responses.length > 1 ? button(`Remove response ${shown + 1}`, () => {
          const before = textOf();
          write(`/responses/${shown}`, undefined);
          shown = 0;
          go(() => show(stub.key));
          undo("A response was removed.", before, stub.key);
        }) : null),
      isObject(responses[shown])
        ? responseOf(responses[shown], isObject(stub.resource) && shown === responses.length - 1) : null,
    ];
  }

  /** Adds a response to some others, and returns its place. A resource answers in place of the last one, which stays so. */
  function addResponse(count, isResource) {
    const added = { status: 200, json: {} };
    if (count === 0) write("/responses", isResource ? [added, {}] : [added]);
    else if (isResource) {
      const moved = setAt(textOf(), at(`/responses/${count}`), rawOf(`/responses/${count - 1}`));
      edit(setAt(moved, at(`/responses/${count - 1}`), JSON.stringify(added, null, 2)));
      return count - 1;
    } else write(`/responses/${count}`, added);
    return count;
  }

  const field = (label, input) => h("label", {}, `${label} `, input);

  function methodOf(method) {
    const value = [method ?? []].flat().join(", ");
    return field("Method", h("input", {
      value, list: "methods", size: 8, placeholder: "any", autocomplete: "off", onchange: ({ target }) => {
        const words = target.value.split(/[\s,]+/).filter(Boolean);
        write("/request/method", words.length > 1 ? words : words[0]);
      },
    }), h("datalist", { id: "methods" }, methods.map((it) => h("option", { value: it }))));
  }

  function urlOf({ url, path }) {
    const name = url === undefined && path !== undefined ? "path" : "url";
    const value = name === "path" ? path : url;
    const isPattern = value !== undefined && typeof value !== "string";
    return field(name === "path" ? "Path" : "URL", h("input", {
      value: isPattern ? JSON.stringify(value) : value ?? "", spellcheck: "false", autocomplete: "off",
      disabled: isPattern, title: isPattern ? "A pattern, which the document has" : null,
      placeholder: "any", onchange: ({ target }) => write(`/request/${name}`, target.value || undefined),
    }));
  }

  /** The collection of items that a stub is; its items and ids are in the document. */
  function resourceOf({ at }) {
    return field("URL of the list", h("input", {
      value: at ?? "", spellcheck: "false", autocomplete: "off", required: true,
      onchange: ({ target }) => write("/resource/at", target.value),
    }));
  }

  /** What the form does not show. */
  function othersOf(request, stub) {
    const names = [
      ...Object.keys(request).filter((it) => !["method", "url", "path"].includes(it)),
      ...Object.keys(stub).filter((it) => !["key", "request", "responses"].includes(it)),
    ];
    return names.length > 0
      ? h("p", { class: "quiet" }, `Also in the document: ${names.join(", ")}.`) : null;
  }

  function responseOf(response, isResource) {
    const base = `/responses/${shown}`;
    const others = Object.keys(response).filter(
      (it) => !["status", "headers", "json", "text", "delay"].includes(it));
    return [
      isResource ? h("p", { class: "quiet" }, "The resource answers in its place, with these header fields.") : null,
      h("div", { class: "pair" },
        isResource ? null : field("Status", h("input", {
          value: response.status ?? "", placeholder: "200", inputmode: "numeric", size: 5, onchange: ({ target }) => {
            const number = Number(target.value);
            write(`${base}/status`, target.value === "" ? undefined : Number.isInteger(number) ? number : target.value);
          },
        })),
        field("Delay", h("input", {
          value: typeof response.delay === "string" ? response.delay : response.delay ? JSON.stringify(response.delay) : "",
          placeholder: "such as 200ms", size: 10, disabled: typeof (response.delay ?? "") !== "string",
          onchange: ({ target }) => write(`${base}/delay`, target.value || undefined),
        }))),
      fieldsOf(response, base), isResource ? null : contentOf(response, base),
      others.length > 0 ? h("p", { class: "quiet" }, `Also in the document: ${others.join(", ")}.`) : null,
    ];
  }

  function fieldsOf({ headers }, base) {
    const known = isObject(headers) ? headers : {};
    const lines = Object.entries(known).flatMap(([name, value]) => [value].flat().map((it) => `${name}: ${it}`));
    const wrong = h("span", { class: "bad", role: "alert" });
    const area = h("textarea", {
      rows: Math.max(2, lines.length), value: lines.join("\n"), spellcheck: "false",
      placeholder: "Content-Type: text/plain", onchange: ({ target }) => {
        const { fields, refused } = headerFieldsOf(target.value);
        complain(area, wrong, refused.length > 0 ? `“${refused[0]}” is not NAME: VALUE` : "");
        if (refused.length === 0) write(`${base}/headers`, Object.keys(fields).length > 0 ? fields : undefined);
      },
    });
    return [field("Header fields, one a line", area), wrong];
  }

  /** Says what is wrong with a field, whose text then stays out of the document; empty for nothing. */
  function complain(target, place, text) {
    if (place.textContent !== text) place.textContent = text;
    if (text) problem = { target, text };
    else if (problem?.target === target) problem = null;
    if (text) target.setAttribute("aria-invalid", "true");
    else target.removeAttribute("aria-invalid");
  }

  function contentOf(response, base) {
    const kind = "json" in response ? "json" : "text" in response ? "text" : "none";
    const wrong = h("span", { class: "bad", role: "alert" });
    const text = kind === "json" ? rawOf(`${base}/json`) : String(response.text ?? "");
    const area = h("textarea", {
      rows: Math.min(16, Math.max(4, text.split("\n").length)), value: text, spellcheck: "false",
      hidden: kind === "none", "aria-label": "Content", oninput: put,
    });
    const choice = h("select", {
      onchange: () => {
        area.hidden = choice.value === "none";
        put();
      },
    }, [["json", "JSON"], ["text", "text"], ["none", "none, or as in the document"]].map(([value, label]) =>
      h("option", { value, selected: value === kind }, label)));

    function put() {
      const other = { json: "text", text: "json" }[choice.value];
      let document = textOf();
      for (const name of choice.value === "none" ? ["json", "text"] : [other]) {
        document = removedAt(document, at(`${base}/${name}`));
      }
      if (choice.value === "json") {
        try {
          JSON.parse(area.value || "null");
        } catch {
          return complain(area, wrong, "is not JSON yet");
        }
        document = setAt(document, at(`${base}/json`), area.value || "null");
      } else if (choice.value === "text") document = setAt(document, at(`${base}/text`), JSON.stringify(area.value));
      complain(area, wrong, "");
      edit(document);
    }
    return [field("Content", choice), wrong, area];
  }

  /** The value as the document writes it, without its indentation: JavaScript would round long numbers. */
  function rawOf(pointer) {
    const text = textOf();
    const place = placeOf(text, at(pointer), true);
    if (place === null) return "";
    const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", place[0] - 1) + 1))[0];
    return text.slice(...place).replaceAll(`\n${indent}`, "\n");
  }

  function rename(stub, target) {
    if (target.value === stub.key) return;
    const keys = keysOf(textOf());
    if (!target.value || keys.includes(target.value)) {
      target.setCustomValidity(target.value ? "Another stub has this key." : "A stub needs a key.");
      target.reportValidity();
      target.value = stub.key;
      return;
    }
    write("/key", target.value);
    select(target.value);
  }

  function duplicate(stub) {
    const text = textOf();
    const keys = keysOf(text);
    let number = 2;
    while (keys.includes(`${stub.key}-${number}`)) number += 1;
    const key = `${stub.key}-${number}`;
    const [start, end] = placeOf(text, at(""), true);
    const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1))[0];
    const raw = text.slice(start, end).replaceAll(`\n${indent}`, "\n");
    edit(setAt(text, `/stubs/${keys.length}`, setAt(raw, "/key", JSON.stringify(key))));
    select(key);
  }

  function remove(key) {
    const before = textOf();
    edit(removedAt(before, at("")));
    go(() => select(keysOf(textOf())[Math.max(0, index - 1)] ?? null));
    undo(`The stub ${key} was removed; it is gone once you save.`, before, key);
  }

  return {
    element, show,
    /** Puts the focus at the name of the stub. */
    focus() { element.querySelector("h3")?.focus(); },
    /** What is typed in a field and cannot be in the document; null for nothing. */
    get problem() { return problem; },
  };
}

/** The fields of lines such as `Retry-After: 5`, and the lines that are none. */
function headerFieldsOf(text) {
  // Fields may be called like what objects have from the beginning.
  const [fields, refused] = [Object.create(null), []];
  for (const line of text.split("\n")) {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name) fields[name] = name in fields ? [fields[name], value].flat() : value;
    else if (line.trim()) refused.push(line.trim());
  }
  return { fields, refused };
}
