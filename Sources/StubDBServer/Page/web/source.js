// The text of a document: a text area with the numbers of its lines, colours, problems at their lines, and completion.
import { fill, h } from "./dom.js";

const tokens = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|([{}[\],])/g;

/** Makes the field; `changed` is called after each change, `propose` gives what may stand at an offset. */
export function makeSource({ changed, propose }) {
  const area = h("textarea", {
    id: "document", spellcheck: "false", wrap: "off", autocomplete: "off", autocapitalize: "off",
    "aria-describedby": "wrong", "aria-autocomplete": "list", "aria-controls": "proposals",
    oninput: edited, onscroll: paint, onkeydown: key, onblur: () => close(), onclick: () => close(),
  });
  const numbers = h("div", { class: "numbers" });
  const colours = h("div", { class: "colours" });
  const list = h("ul", { id: "proposals", role: "listbox", "aria-label": "Completions", hidden: true });
  const element = h("div", { class: "source" },
    h("div", { class: "gutter", "aria-hidden": "true" }, numbers),
    h("div", { class: "sheet" }, h("div", { class: "behind", "aria-hidden": "true" }, colours), area, list));
  let lines = [""];
  /** The problem that is shown: its line, from 0, and its text. */
  let problem = null;
  let proposals = { from: 0, to: 0, items: [], index: 0 };
  new ResizeObserver(paint).observe(area);

  const lineHeight = () => parseFloat(getComputedStyle(area).lineHeight);

  /** Draws the lines in sight below the text, which itself is transparent. */
  function paint() {
    const height = lineHeight();
    const first = Math.max(0, Math.floor(area.scrollTop / height) - 1);
    const end = Math.min(lines.length, first + Math.ceil(area.clientHeight / height) + 3);
    const top = `translate(${-area.scrollLeft}px, ${first * height - area.scrollTop}px)`;
    colours.style.transform = top;
    numbers.style.transform = `translateY(${first * height - area.scrollTop}px)`;
    fill(colours, lines.slice(first, end).map((line, index) => {
      const isWrong = problem?.line === first + index;
      return h("div", { class: isWrong ? "line wrong" : "line" }, coloured(line),
        isWrong ? h("span", { class: "message" }, `  ${problem.message}`) : null);
    }));
    fill(numbers, lines.slice(first, end).map((_, index) =>
      h("div", { class: problem?.line === first + index ? "wrong" : null }, first + index + 1)));
  }

  function edited() {
    lines = area.value.split("\n");
    problem = null;
    paint();
    changed();
    complete(false);
  }

  // MARK: Completion

  /** Shows what may stand where the caret is; without being asked only while a word is typed. */
  async function complete(isAsked) {
    const at = area.selectionStart;
    if (at !== area.selectionEnd) return close();
    const text = area.value;
    const found = await propose(text, at, isAsked);
    if (area.value !== text || area.selectionStart !== at || document.activeElement !== area) return;
    if (!found || found.items.length === 0) return close();
    proposals = { ...found, index: 0 };
    fill(list, found.items.map((item, index) => h("li", {
      role: "option", id: `proposal-${index}`, "aria-selected": String(index === 0),
      onmousedown: (event) => { event.preventDefault(); take(index); },
    }, h("b", {}, item.label), item.about ? h("span", { class: "quiet" }, ` ${item.about}`) : null)));
    list.hidden = false;
    area.setAttribute("aria-activedescendant", "proposal-0");
    place(found.from);
  }

  function place(offset) {
    const before = area.value.slice(0, offset);
    const line = before.split("\n").length - 1;
    const column = offset - before.lastIndexOf("\n") - 1;
    const width = colours.firstElementChild ? widthOf(area.value.slice(offset - column, offset)) : 0;
    const height = lineHeight();
    const left = Math.max(0, Math.min(width - area.scrollLeft, area.clientWidth - list.offsetWidth - 8));
    const below = (line + 1) * height - area.scrollTop + 8;
    const fits = below + list.offsetHeight < area.clientHeight;
    list.style.left = `${left + 8}px`;
    list.style.top = `${fits ? below : Math.max(0, below - height - list.offsetHeight)}px`;
  }

  function widthOf(text) {
    const probe = h("span", { class: "line measured" }, text);
    colours.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  }

  function close() {
    list.hidden = true;
    area.removeAttribute("aria-activedescendant");
  }

  function take(index) {
    const { from, to, items } = proposals;
    close();
    insert(items[index].text, from, to, items[index].back ?? 0);
    close();
  }

  /** Puts text in place of a range, so that the browser can undo it. */
  function insert(text, from, to, back = 0) {
    area.focus();
    area.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, from, to, "end");
      edited();
    }
    if (back > 0) area.setSelectionRange(from + text.length - back, from + text.length - back);
  }

  function key(event) {
    // Enter belongs to an input method that composes a word.
    if (event.isComposing) return;
    if (!list.hidden) return choose(event);
    if (event.key === " " && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      complete(true);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const at = area.selectionStart;
      const line = area.value.slice(area.value.lastIndexOf("\n", at - 1) + 1, at);
      const deeper = /[{[]\s*$/.test(line) ? "  " : "";
      insert(`\n${/^\s*/.exec(line)[0]}${deeper}`, at, area.selectionEnd);
      close();
    }
  }

  function choose(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" || event.key === "Tab") take(proposals.index);
    else if (step) {
      const { length } = proposals.items;
      list.children[proposals.index].setAttribute("aria-selected", "false");
      proposals.index = (proposals.index + step + length) % length;
      const chosen = list.children[proposals.index];
      chosen.setAttribute("aria-selected", "true");
      chosen.scrollIntoView({ block: "nearest" });
      area.setAttribute("aria-activedescendant", chosen.id);
    } else return;
    event.preventDefault();
  }

  return {
    element, area,
    get text() { return area.value; },
    /** Puts another text in place of all; with `isEdit` as a change that the browser can undo. */
    set(text, isEdit = false) {
      const { scrollTop } = area;
      if (isEdit && text !== area.value) {
        const [from, to] = changedRange(area.value, text);
        area.setRangeText(text.slice(from, to + text.length - area.value.length), from, to, "preserve");
      } else if (text !== area.value) area.value = text;
      area.scrollTop = scrollTop;
      lines = area.value.split("\n");
      problem = null;
      paint();
    },
    /** Shows a problem at its line; null for none. */
    complain(message, offset) {
      problem = message === null ? null : { message, line: area.value.slice(0, offset).split("\n").length - 1 };
      paint();
    },
    /** Brings a range into sight; it is chosen if that is wanted. */
    reveal(start, end, isChosen) {
      if (isChosen) area.focus();
      area.setSelectionRange(start, isChosen ? end : start);
      const line = area.value.slice(0, start).split("\n").length - 1;
      area.scrollTop = Math.max(0, (line - 2) * lineHeight());
      paint();
    },
  };
}

function changedRange(before, after) {
  let [start, tail] = [0, 0];
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start += 1;
  while (tail < most - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [start, before.length - tail];
}

/** The parts of a line of JSON with their colours. */
function coloured(line) {
  // So many elements would take seconds.
  if (line.length > 10_000) return [line];
  const parts = [];
  let at = 0;
  for (const found of line.matchAll(tokens)) {
    if (found.index > at) parts.push(line.slice(at, found.index));
    const [whole, string, colon, number, word] = found;
    const kind = string ? (colon ? "name" : "string") : number ? "number" : word ? "word" : "sign";
    parts.push(h("span", { class: kind }, string ?? whole), colon ?? "");
    at = found.index + whole.length;
  }
  parts.push(line.slice(at) || "\u200b");
  return parts;
}
