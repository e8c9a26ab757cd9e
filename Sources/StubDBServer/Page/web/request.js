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
