// What is wrong in the document of an editor, and what it would answer.
import { ask } from "./api.js";
import { outline, placeOf } from "./document.js";
import { alertOf, button, fill, h, settled } from "./dom.js";

/** Makes the element that says what is wrong, and the check of the text; `match` has the request beside it. */
export function makeCheck(editor, match) {
  const { source } = editor;
  const element = h("div", { id: "wrong", role: "alert" });
  let [round, complaint, place] = [0, "", [0, 0]];
  /** The text that the server has refused to save, for reasons that a check does not see; null for none. */
  let refused = null;

  /** Says what went wrong, which is no place in the document; null for nothing. */
  function tell(error) {
    complaint = "";
    const hadFocus = element.contains(document.activeElement);
    fill(element, error === null ? null : alertOf(error));
    if (hadFocus) source.area.focus();
  }

  /** Says what is wrong, once, however often it is found. */
  function complain(message, range, ...buttons) {
    place = range;
    if (message !== complaint || buttons.length > 0) {
      const hadFocus = element.contains(document.activeElement);
      fill(element, h("p", { class: "problem" }, message, " ",
        button("Show the place", () => source.reveal(...place, true))), buttons);
      if (hadFocus) element.querySelector("button").focus();
    }
    complaint = message;
    source.area.setAttribute("aria-invalid", "true");
    source.complain(message, range[0]);
  }

  function complainAbout(problem, ...buttons) {
    // A server that is lost, or that changes nothing, says nothing about the document.
    if (problem.pointer === null && ![400, 422].includes(problem.status)) return tell(problem);
    const pointer = problem.pointer ?? "";
    complain(`${pointer || "The document"}: ${problem.message}`, placeOf(source.text, pointer), ...buttons);
  }

  /** Says why the text was not saved, until it is another one. */
  function refuse(problem, ...buttons) {
    refused = problem.status === 422 ? source.text : null;
    complainAbout(problem, ...buttons);
  }

  /** The text was saved. */
  function accept() {
    refused = null;
    approve();
  }

  function approve() {
    if (source.text === refused) return;
    // What the form cannot save is still to be mended.
    if (!editor.form.problem) tell(null);
    source.area.removeAttribute("aria-invalid");
    source.complain(null);
  }

  /** Lets the server read the document, and match the request beside it. */
  async function check() {
    if (editor.isGone) return;
    const { text } = source;
    const { error } = outline(text);
    round += 1;
    const own = round;
    if (error !== null) {
      const line = text.slice(0, error).split("\n").length;
      return complain(`Line ${line} is not JSON.`, [error, error + 1]);
    }
    const { request, isGiven } = match.question();
    try {
      // As it is written: JavaScript would round long numbers.
      const answer = await ask("POST", "match", `{"document":${text},"request":${JSON.stringify(request)}}`);
      if (own !== round) return;
      approve();
      match.show(isGiven ? answer.text : null);
    } catch (problem) {
      if (own !== round) return;
      if (problem.pointer?.startsWith("/request")) {
        approve();
        match.fail(problem);
      } else {
        match.show(null);
        const { message, status, pointer } = problem;
        complainAbout({ message, status, pointer: pointer?.replace(/^\/document/, "") ?? null });
      }
    }
  }

  return { element, tell, refuse, accept, check, checkSoon: settled(250, check) };
}
