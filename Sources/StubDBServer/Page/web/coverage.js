// The stubs of a session's scenario by use.
import { ask } from "./api.js";
import { alertOf, fill, h, keepingFocus, limited, mostRows, row, table } from "./dom.js";

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
    const words = lost === 0 ? "" : `${lost} ${lost === 1 ? "stub" : "stubs"} can never answer.`;
    if (unreachable.textContent !== words) unreachable.textContent = words;
    const caption = `${used} of ${stubs.length} stubs of ${scenario} have answered`;
    keepingFocus(result, () => fill(result, table(limited(caption, found),
      ["Stub", "Request", "Scenario", ["Responses", "number"], ["Answers", "number"]],
      found.slice(0, mostRows).map((it) => row([
        h("a", { href: linkOf(it) }, it.key), [it.request, "code"], it.scenario, [it.responses, "number responses"],
        [answersOf(it), it.answers === 0 ? "number bad answers" : "number answers"],
      ])), { class: "cards fitting" })));
  }

  function answersOf({ answers, shadowedBy }) {
    if (shadowedBy !== null) {
      const first = coverage.stubs.find(({ key }) => key === shadowedBy);
      return ["never can: “", h("a", { href: linkOf(first ?? { scenario: coverage.scenario, key: shadowedBy }) }, shadowedBy),
        "” always comes first"];
    }
    return answers === 0 ? "never" : answers;
  }

  const linkOf = ({ scenario, key }) => `#edit/${[scenario, key].map(encodeURIComponent).join("/")}`;

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
      shownText = "";
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
  const timer = setInterval(() => { if (!document.hidden) refresh(); }, 1000);
  return () => clearInterval(timer);
}
