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

/** Makes the contents of an element anew, with the focus at what is now where it was. */
export function keepingFocus(element, body) {
  const active = document.activeElement;
  const all = () => [...element.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")];
  const nameOf = (it) => `${it.localName} ${it.ariaLabel ?? it.closest("label")?.firstChild.textContent ?? it.textContent}`;
  const [index, name] = element.contains(active) ? [all().indexOf(active), nameOf(active)] : [-1, ""];
  body();
  if (index < 0 || element.contains(document.activeElement)) return;
  const now = all();
  const same = now[index] && nameOf(now[index]) === name ? now[index] : now.find((it) => nameOf(it) === name);
  (same ?? now[Math.min(index, now.length - 1)])?.focus({ preventScroll: true });
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

/** The largest number of rows of a table; a search finds the others. */
export const mostRows = 500;

export function limited(caption, all) {
  return all.length > mostRows ? `${caption}: the first ${mostRows} of ${all.length}` : caption;
}

/** A button that copies a text, and says so. */
export function copyButton(label, text) {
  const copy = button(label, async () => {
    copy.textContent = await copied(text()) ? "Copied" : "Not copied";
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
