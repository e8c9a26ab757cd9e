// A list of any length, of which only the rows in sight are elements.
import { fill, h } from "./dom.js";

/** How many rows beyond the edges are kept, so that scrolling does not show gaps. */
const spare = 12;

/**
 * A grid whose rows have one height: `cells` gives the contents of an entry's row, `names` the heads of the columns, and
 * `open` is called with the entry that a click, Enter or a key for the next row chooses while one is open.
 */
export class Rows {
  /** The entries, the first row first. */
  #at;
  #count = 0;
  #rows = new Map();
  /** The number of the entry that the keyboard is at. */
  #active = null;
  /** The number of the entry that is open. */
  #opened = null;
  #head;
  #body = h("div", { role: "rowgroup", class: "body" });
  #probe = h("div", { class: "row probe", "aria-hidden": "true" });
  #how;
  #isPlanned = false;

  constructor(how) {
    this.#how = how;
    this.#head = h("div", { role: "rowgroup", class: "head" }, h("div", { role: "row", class: "row" },
      how.names.map((name) => h("span", { role: "columnheader", class: name.toLowerCase() }, name))));
    this.element = h("div", {
      role: "grid", class: "rows", "aria-label": how.label, "aria-readonly": "true",
      onscroll: () => this.#plan(), onkeydown: (event) => this.#key(event), onclick: (event) => this.#click(event),
    }, this.#head, this.#body, this.#probe);
    this.watcher = new ResizeObserver(() => this.#plan());
    this.watcher.observe(this.element);
  }

  /** Shows other entries: their number, and a function that gives one by its place. */
  show(count, at, { added = 0 } = {}) {
    [this.#count, this.#at] = [count, at];
    this.element.setAttribute("aria-rowcount", count + 1);
    const height = this.#height;
    this.#body.style.height = `${count * height}px`;
    // Whoever has scrolled down goes on reading the same rows.
    if (added > 0 && this.element.scrollTop > height) this.element.scrollTop += added * height;
    this.#render();
  }

  /** Shows what has changed of an entry. */
  renew(number) {
    const [row, index] = [this.#rows.get(number), this.#indexOf(number)];
    if (row && index >= 0) fill(row, this.#cellsOf(this.#at(index)));
  }

  /** Says beside the name of a column what all its values have. */
  say(name, text) {
    const head = this.#head.querySelector(`.${name}`);
    fill(head, head.firstChild, text ? h("span", { class: "quiet" }, ` at ${text}`) : null);
  }

  /** Forgets all rows, as for other entries. */
  clear() {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
    this.element.scrollTop = 0;
  }

  /** Marks the row of the open entry; null for none. */
  mark(number) {
    for (const it of [this.#opened, number]) this.#rows.get(it)?.classList.toggle("open", it === number);
    for (const it of [this.#opened, number]) this.#rows.get(it)?.setAttribute("aria-selected", String(it === number));
    this.#opened = number;
  }

  /** Brings a row into sight, with the keyboard if it is wanted. */
  reveal(number, { focus = true } = {}) {
    const index = this.#indexOf(number);
    if (index < 0) return;
    this.#active = number;
    const [height, top] = [this.#height, index * this.#height];
    const { scrollTop } = this.element;
    const space = this.element.clientHeight - this.#head.offsetHeight;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + height > scrollTop + space) this.element.scrollTop = top + height - space;
    this.#render();
    if (focus) this.#rows.get(number)?.focus({ preventScroll: true });
  }

  get #height() { return this.#probe.getBoundingClientRect().height || 28; }

  /** Entries are in the order of falling numbers. */
  #indexOf(number) {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle).number > number) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#at(low).number === number ? low : -1;
  }

  #plan() {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.#render();
    });
  }

  #render() {
    if (!this.#at) return;
    const height = this.#height;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / height) - spare);
    const end = Math.min(this.#count, Math.ceil((scrollTop + clientHeight) / height) + spare);
    const wanted = new Set();
    const places = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
    let active = this.#active === null ? -1 : this.#indexOf(this.#active);
    const isAway = active < first || active >= end;
    if (isAway && active >= 0 && this.#rows.get(this.#active) === document.activeElement) {
      // The row with the focus stays, so that the keyboard does not lose its place.
      places.push(active);
    } else if (isAway) {
      active = Math.min(this.#count - 1, Math.floor(scrollTop / height));
      this.#active = active < 0 ? null : this.#at(active).number;
    }
    for (const index of places) {
      const entry = this.#at(index);
      wanted.add(entry.number);
      const row = this.#rows.get(entry.number) ?? this.#make(entry);
      row.style.transform = `translateY(${index * height}px)`;
      row.setAttribute("aria-rowindex", index + 2);
      row.tabIndex = entry.number === this.#active ? 0 : -1;
    }
    for (const [number, row] of this.#rows) {
      if (wanted.has(number)) continue;
      row.remove();
      this.#rows.delete(number);
    }
    this.#body.style.height = `${this.#count * height}px`;
    if (this.#count > 0 && end === this.#count) this.#how.end?.();
  }

  #make(entry) {
    const isOpen = entry.number === this.#opened;
    const row = h("div", {
      role: "row", class: `row ${this.#how.kind(entry)}${isOpen ? " open" : ""}`,
      "data-number": entry.number, "aria-selected": String(isOpen),
    }, this.#cellsOf(entry));
    this.#rows.set(entry.number, row);
    this.#body.append(row);
    return row;
  }

  #cellsOf(entry) {
    return this.#how.cells(entry).map(
      ([kind, ...content]) => h("span", { role: "gridcell", class: kind }, content));
  }

  #click({ target }) {
    const row = target.closest(".body .row");
    if (!row || getSelection().type === "Range") return;
    this.#open(Number(row.dataset.number));
  }

  #open(number) {
    if (this.#indexOf(number) < 0) return;
    this.reveal(number);
    this.#how.open(this.#at(this.#indexOf(number)));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.#active === null ? -1 : this.#indexOf(this.#active);
    if (index < 0) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#height) - 2);
    const steps = {
      ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -this.#count, End: this.#count,
    };
    if (event.key === "Enter" || event.key === " ") this.#open(this.#active);
    else if (event.key in steps) {
      const next = Math.min(this.#count - 1, Math.max(0, index + steps[event.key]));
      const { number } = this.#at(next);
      if (this.#opened !== null && number !== this.#opened) this.#open(number);
      else this.reveal(number);
    } else return;
    event.preventDefault();
  }
}
