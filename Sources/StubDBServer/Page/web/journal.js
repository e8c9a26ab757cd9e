// The journal of a session: rows as they come.
import { ask } from "./api.js";
import { alertOf, button, copyButton, fill, h, settled } from "./dom.js";
import { Listing } from "./feed.js";
import { describe, readEntry } from "./request.js";
import { Rows } from "./rows.js";
import { duration, partsOf, phraseOf, timeOfDay } from "./text.js";

const kinds = [
  ["", "all requests"], ["matched=true", "answered by a stub"], ["matched=false", "unmatched"],
];

const hasEnded = "The session has ended, and its journal with it.";

/** What a word of the filter line asks the API, by what stands before its colon. */
const words = {
  __proto__: null, method: (value) => ["method", value], status: (value) => ["status", value.toLowerCase()],
  path: (value) => ["path", value.includes("*") ? value : `*${value}*`], stub: (value) => ["stub", value],
};

/** The query of a filter line: `method:POST status:4xx path:/v1 stub:charge`, and text of contents. */
export function queryOf(line) {
  const query = new URLSearchParams();
  const text = [];
  for (const word of line.split(/\s+/)) {
    const [, name, value] = /^(\w+):(.+)$/.exec(word) ?? [];
    if (name in words) query.set(...words[name](value));
    else if (word) text.push(word);
  }
  if (text.length > 0) query.set("text", text.join(" "));
  return query.toString();
}

/** What a filter line has that is taken as text, or not at all, though it looks like more; empty for nothing. */
export function remarkOf(line) {
  const given = line.split(/\s+/).map((word) => /^([-!]?\w+):(?!\/\/)(.+)$/.exec(word)?.[1]).filter(Boolean);
  const text = given.find((name) => !(name in words));
  if (text) return `“${text}:” is looked for as text; the filter knows ${Object.keys(words).map((it) => `${it}:`).join(", ")}.`;
  const twice = given.find((name, index) => given.indexOf(name) !== index);
  return twice ? `Of several “${twice}:” the last one counts.` : "";
}

export function showJournal(main, app) {
  const { feed, session } = app;
  const kind = h("select", { onchange: choose }, kinds.map(([value, label]) => h("option", { value }, label)));
  const filter = h("input", {
    type: "search", id: "filter", autocomplete: "off", spellcheck: "false", oninput: settled(250, choose),
    placeholder: "method:POST status:4xx path:/v1 stub:charge text", "aria-describedby": "wrong-filter",
  });
  const pause = button("Pause", togglePause, { "aria-pressed": "false" });
  const clear = button("Clear", empty);
  const news = h("span", { "aria-live": "polite", class: "quiet", id: "news" });
  const wrong = h("div", { id: "wrong-filter" });
  const nothing = h("div", { id: "nothing", hidden: true });
  const dropped = h("p", { class: "quiet", id: "dropped" });
  const detail = h("section", { id: "detail", "aria-label": "Request", hidden: true });
  const rows = new Rows({
    label: "Requests, newest first", names: ["Time", "Status", "Method", "Path", "Took", "Answer"],
    cells, kind: (entry) => (entry.matched ? "" : "unmatched"), open: (entry) => openEntry(entry.number),
    end: () => older(),
  });
  main.append(h("h2", { class: "unseen" }, "Journal"),
    h("div", { class: "tools" }, h("label", {}, "Show ", kind), h("label", { class: "wide" }, "Filter ", filter),
      pause, clear, news), wrong,
    h("div", { class: "split" }, h("div", { class: "list" }, nothing, rows.element, dropped), detail));

  let listing = feed.listing;
  // What is shown, so that a list that rests does not move.
  let [entries, epoch, told, open] = [[], -1, 0, null];
  let host = null;
  let stopDetail = null;
  let isReadingOlder = false;
  let feedEpoch = feed.listing?.epoch;

  const isPaused = () => pause.getAttribute("aria-pressed") === "true";

  function cells(entry) {
    const { origin, path, query } = partsOf(entry.url);
    const { word, state } = statusOf(entry);
    const from = entry.response === null ? "" : ` ${entry.response}`;
    return [
      ["time", h("time", { datetime: entry.at, title: entry.at }, timeOfDay(entry.at).slice(0, 8))],
      ["status", h("span", { class: state }, h("b", {}, word), " ", phraseOf(entry.status))],
      ["method", h("span", { class: `verb ${entry.method.toLowerCase()}` }, entry.method)],
      ["path", origin === host ? null : h("span", { class: "quiet" }, origin), path,
        query ? h("span", { class: "quiet" }, query) : null],
      ["took", entry.durationMs === null ? "…" : duration(entry.durationMs)],
      ["answer", entry.matched
        ? [entry.key, h("span", { class: "quiet" }, `${from}${entry.scenario && entry.scenario !== session?.scenario
          ? ` of ${entry.scenario}` : ""}${entry.remark ? ` (${entry.remark})` : ""}`)]
        : h("span", { class: "bad" }, "unmatched")],
    ];
  }

  function togglePause() {
    pause.setAttribute("aria-pressed", String(!isPaused()));
    update();
  }

  /** Shows the entries of another filter. */
  async function choose() {
    const query = [kind.value, queryOf(filter.value)].filter(Boolean).join("&");
    const chosen = query && session ? new Listing(session.id, query) : feed.listing;
    listing = chosen;
    try {
      if (chosen !== feed.listing) await chosen.reload();
      fill(wrong);
    } catch (error) {
      if (chosen === listing) fill(wrong, alertOf(error));
    }
    const remark = remarkOf(filter.value);
    if (chosen === listing && remark && !wrong.firstChild) fill(wrong, h("p", { class: "quiet" }, remark));
    if (chosen === listing) update();
  }

  /** Shows what has changed. */
  function show(added = 0) {
    const origins = entries.length > 0 ? partsOf(entries.at(-1).url).origin : null;
    if (origins !== null && host === null) {
      host = origins;
      rows.say("path", host);
    }
    rows.show(entries.length, (index) => entries[entries.length - 1 - index], { added });
    const isEmpty = entries.length === 0 && (!session || feed.state !== "connecting");
    if (nothing.hidden === isEmpty) nothing.hidden = !isEmpty;
    rows.element.hidden = isEmpty;
    if (isEmpty) explain();
    const count = feed.counts.dropped;
    const text = count > 0 && !listing.hasOlder ? `${count} older requests are no longer in the journal` : "";
    if (dropped.textContent !== text) dropped.textContent = text;
  }

  function update(answers = []) {
    if (!feed.listing) return session ? undefined : show();
    if (listing.epoch !== epoch) {
      epoch = listing.epoch;
      entries = listing.entries;
      rows.clear();
      return show();
    }
    for (const { number } of answers) rows.renew(number);
    const last = entries.at(-1)?.number ?? 0;
    let added = 0;
    while (added < listing.entries.length && listing.entries.at(-1 - added).number > last) added += 1;
    if (isPaused()) return say(added);
    entries = listing.entries;
    show(added);
    say(added);
  }

  let [came, timer] = [0, null];

  /** Says how many came, now and then, so that a screen reader is not flooded; how many wait while the list rests. */
  function say(count) {
    came = isPaused() ? count : came + count;
    if (came === 0 || timer !== null) return;
    const tell = () => {
      timer = null;
      const text = came === 0 ? "" : `${came} new`;
      if (news.textContent !== text) news.textContent = text;
      told = performance.now();
      if (!isPaused()) came = 0;
    };
    timer = setTimeout(tell, Math.max(0, told + 2000 - performance.now()));
  }

  async function hear(answers) {
    if (!kind.value && !filter.value && listing !== feed.listing) listing = feed.listing;
    if (listing !== feed.listing) {
      const isNewRun = feedEpoch !== feed.listing.epoch;
      feedEpoch = feed.listing.epoch;
      listing.complete(answers);
      if (isNewRun) await listing.reload().catch(() => {});
      else if (feed.listing.last > listing.last) await listing.newer().catch(() => {});
      await listing.recheck(answers).catch(() => {});
    }
    update(answers);
  }

  async function older() {
    if (!listing.hasOlder || isReadingOlder || isPaused()) return;
    isReadingOlder = true;
    await listing.older().catch(() => {});
    isReadingOlder = false;
    // They come below all others, and nothing in sight moves.
    update();
  }

  /** Says why there are no rows, and what to do. */
  function explain() {
    if (listing !== feed.listing) {
      delete nothing.dataset.session;
      return fill(nothing, h("p", {}, "No request in the journal passes the filter."),
        button("Show all requests", () => {
          [kind.value, filter.value] = ["", ""];
          choose();
          filter.focus();
        }));
    }
    if (!session) {
      delete nothing.dataset.session;
      return fill(nothing, h("p", {}, "No session plays a scenario. "), h("a", { href: "#scenarios" }, "Start one."));
    }
    if (nothing.dataset.session === session.id) return;
    nothing.dataset.session = session.id;
    const command = `curl -i ${session.baseURL}/`;
    fill(nothing, h("h3", {}, "No request has come yet"),
      h("p", {}, `The scenario ${session.scenario} is played at `, h("code", {}, session.baseURL), "."),
      h("p", { class: "tools" }, h("code", {}, command), copyButton("Copy", () => command)),
      h("p", {}, "See what it answers in ", h("a", { href: "#coverage" }, "Coverage"), ", or open it in the ",
        h("a", { href: `#edit/${encodeURIComponent(session.scenario)}` }, "Editor"), "."));
  }

  async function empty() {
    if (clear.textContent === "Clear") {
      clear.textContent = "Clear for good?";
      setTimeout(() => { clear.textContent = "Clear"; }, 4000);
      return;
    }
    clear.textContent = "Clear";
    try {
      if (!session) throw new Error(hasEnded);
      await ask("POST", `sessions/${session.id}/reset`, { journal: true });
      close();
      await feed.reload();
      await choose();
    } catch (error) {
      fill(wrong, alertOf(error));
    }
  }

  function close() {
    if (open === null) return;
    const number = open;
    open = null;
    stopDetail?.();
    stopDetail = null;
    rows.mark(null);
    detail.hidden = true;
    fill(detail);
    main.classList.remove("opened");
    rows.reveal(number);
  }

  async function openEntry(number) {
    if (open === number) return close();
    const hadFocus = detail.contains(document.activeElement);
    const isFirst = open === null;
    stopDetail?.();
    stopDetail = null;
    open = number;
    rows.mark(number);
    try {
      if (!session) throw new Error(hasEnded);
      const entry = await readEntry(session.id, number);
      const [parts, stop] = await describe(entry, session, app, close);
      if (open !== number) return stop();
      stopDetail = stop;
      fill(detail, parts);
    } catch (error) {
      if (open !== number) return;
      fill(detail, h("h3", { tabindex: -1 }, `Request ${number}`), alertOf(error), button("Close", close));
    }
    detail.setAttribute("aria-label", `Request ${number}`);
    detail.hidden = false;
    main.classList.add("opened");
    // On a small screen the detail covers the list.
    if (hadFocus || (isFirst && getComputedStyle(detail).position === "fixed")) detail.querySelector("h3")?.focus();
    else rows.reveal(number);
  }

  const keys = (event) => {
    if (event.key === "Escape" && open !== null && event.target !== filter) close();
    if (event.key !== "/" || event.target.closest?.("input, textarea, select")) return;
    event.preventDefault();
    filter.focus();
  };
  document.addEventListener("keydown", keys);
  update();
  const stop = feed.watch(hear);
  return () => {
    document.removeEventListener("keydown", keys);
    stop();
    clearTimeout(timer);
    // What is still read for it is not shown.
    open = null;
    stopDetail?.();
    rows.watcher.disconnect();
  };
}

/** The word for the status of an entry, and the class of its colour. */
export function statusOf({ status, durationMs, remark, matched }) {
  if (status === null) {
    if (durationMs === null) return { word: "…", state: "quiet" };
    return { word: remark ?? "no answer", state: "bad" };
  }
  return { word: status, state: matched ? `s${Math.floor(status / 100)}` : "bad" };
}
