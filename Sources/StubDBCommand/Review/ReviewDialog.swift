import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// Asks on the terminal what becomes of each proposal, one key a decision.
struct ReviewDialog {
  /// What a key led to.
  private enum Step {
    case next
    /// The same proposal once more, with its question only.
    case again
    case quit
  }

  /// The most lines that are shown of one proposal.
  private static let maximumLineCount = 40

  let views: [ReviewView]
  let keys: TerminalKeys
  let editing: ReviewEditing
  private(set) var outcome = ReviewOutcome()
  /// The texts that the user edited.
  private(set) var drafts: [DocumentDraft] = []
  /// What the rest of the scenario gets.
  private var rest: ReviewDecision?
  private let style = Style.output

  init(_ views: [ReviewView], _ keys: TerminalKeys, _ editing: ReviewEditing) {
    (self.views, self.keys, self.editing) = (views, keys, editing)
  }

  /// Asks until everything is decided, or the user quits.
  ///
  /// - Throws: ``CommandError`` if the terminal goes away.
  mutating func run() throws {
    for view in views {
      rest = nil
      let isNew = view.review.existing == nil ? " (a new scenario)" : ""
      try line(style.bold("~ \(view.review.name)") + isNew)
      for (place, index) in view.shown.enumerated() {
        guard decision(view, index) == nil else { continue }
        if let rest, !view.isConflict(index) || rest.isDrop {
          decide(view, index, rest)
          continue
        }
        for line in lines(view, index) { try self.line(line) }
        var step = Step.again
        while case .again = step { step = try ask(view, index, place) }
        if case .quit = step { return }
      }
    }
  }

  private func line(_ text: String) throws { try Console.line(text) }

  private func decision(_ view: ReviewView, _ index: Int) -> ReviewDecision? {
    outcome.decisions[view.review.name]?[view.review.proposals[index].stub.key]
  }

  private mutating func decide(_ view: ReviewView, _ index: Int, _ decision: ReviewDecision) {
    outcome.decisions[view.review.name, default: [:]][view.review.proposals[index].stub.key] =
      decision
  }

  // MARK: Keys

  private mutating func ask(_ view: ReviewView, _ index: Int, _ place: Int) throws -> Step {
    let answers =
      view.isConflict(index) ? min(9, view.review.proposals[index].answers.list.count) : 0
    let letters = keyNames(view, index, answers)
    let question =
      "(\(place + 1)/\(view.shown.count)) \(question(view, index)) [\(letters.joined(separator: ","))] "
    let key = try self.key(after: question)
    guard case .character(let character) = key else {
      try line("")
      if case .end = key { return .quit }
      return .again
    }
    try line(String(character))
    if let number = character.wholeNumberValue, (1...9).contains(number), number <= answers {
      decide(view, index, .take(answer: number - 1))
      return .next
    }
    switch character {
    case "y": decide(view, index, .take(answer: nil))
    case "n": decide(view, index, .drop)
    case "l": decide(view, index, .leave)
    case "a", "d":
      rest = character == "a" ? .take(answer: nil) : .drop
      // Which of several answers is right is for a person to say.
      if character == "a", view.isConflict(index) { return .again }
      decide(view, index, rest ?? .leave)
    case "e" where view.canEdit(index): return try edit(view, index) ? .next : .again
    case "f" where view.canFree(index): return try free(view, index) ? .next : .again
    case "q": return .quit
    default:
      for line in help(view, index, answers) { try self.line(line) }
      return .again
    }
    return .next
  }

  private func key(after question: String) throws -> TerminalKeys.Key {
    let key = keys.next(after: style.bold(question))
    if key == .gone { throw CommandError("the terminal is gone; nothing was changed") }
    return key
  }

  private func question(_ view: ReviewView, _ index: Int) -> String {
    switch view.review.proposals[index].kind {
    case .new: "Take this stub?"
    case .changed: "Take this answer?"
    case .conflict: "Take which answer?"
    case .unseen: "Remove this stub from the catalog?"
    }
  }

  private func keyNames(_ view: ReviewView, _ index: Int, _ answers: Int) -> [String] {
    (answers > 1 ? ["1-\(answers)"] : []) + ["y", "n", "l"] + (view.canEdit(index) ? ["e"] : [])
      + (view.canFree(index) ? ["f"] : []) + ["a", "d", "q", "?"]
  }

  private func help(_ view: ReviewView, _ index: Int, _ answers: Int) -> [String] {
    var lines: [String] = []
    if answers > 1 { lines.append("1-\(answers)  take this answer") }
    switch view.review.proposals[index].kind {
    case .new, .changed: lines.append("y  take it into the catalog")
    case .conflict: lines.append("y  take the answer that was seen last")
    case .unseen: lines.append("y  remove it from the catalog")
    }
    lines += [
      view.review.proposals[index].kind == .unseen
        ? "n  keep it in the catalog" : "n  drop it from the draft",
      "l  leave it waiting",
    ]
    if view.canEdit(index) { lines.append("e  edit it, and take what is saved") }
    if let group = view.group(of: index) {
      lines.append("f  take it with \(ReviewView.text(group.places)) free")
    } else if view.canFree(index) {
      lines.append("f  take it with a place of its request free")
    }
    return lines + [
      "a  take this one and the rest of the scenario; asks about different answers",
      "d  drop this one and the rest of the scenario",
      "q  write what is decided; the rest waits",
      "?  show this help", "Control-C ends it, and nothing is written.",
    ]
  }

  // MARK: Decisions that ask more

  private mutating func edit(_ view: ReviewView, _ index: Int) throws -> Bool {
    let others = outcome.decisions[view.review.name] ?? [:]
    do {
      let (stubs, draft) = try keys.withUsualMode { try editing.stubs(view.review, index, others) }
      drafts.append(draft)
      decide(view, index, .edit(stubs))
      return true
    } catch {
      try line("\(style.red("Error:")) \(ErrorText.message(for: error))")
      return false
    }
  }

  private mutating func free(_ view: ReviewView, _ index: Int) throws -> Bool {
    if let group = view.group(of: index) {
      free(view, index, Set(group.places))
      return true
    }
    let pointers = Array(
      RequestPlaces.pointers(of: view.review.proposals[index].stub.request).prefix(9))
    for (number, pointer) in pointers.enumerated() {
      try line(Excerpt.line("  \(number + 1)  \(ReviewView.text([pointer]))"))
    }
    let key = try key(after: "Leave which place free? [1-\(pointers.count)] ")
    guard case .character(let character) = key, let number = character.wholeNumberValue,
      pointers.indices.contains(number - 1)
    else {
      try line("")
      return false
    }
    try line(String(character))
    free(view, index, [pointers[number - 1]])
    return true
  }

  /// Decides about everything that becomes one stub with this one.
  private mutating func free(_ view: ReviewView, _ index: Int, _ places: Set<JSONPointer>) {
    decide(view, index, .free(places))
    let decisions = outcome.decisions[view.review.name] ?? [:]
    for freed in FreedRequests(view.review).stubs(decisions) where freed.members.contains(index) {
      for member in freed.members where decision(view, member) == nil {
        decide(view, member, .take(answer: nil))
      }
    }
  }
}

// What is shown.
extension ReviewDialog {
  private func lines(_ view: ReviewView, _ index: Int) -> [String] {
    let proposal = view.review.proposals[index]
    let isShort = proposal.kind == .conflict
    var lines = difference(view, proposal) + (isShort ? answers(proposal) : [])
    let more = lines.count - Self.maximumLineCount
    if more > 0 {
      lines.removeLast(more)
      lines.append("      … \(Plural.of(more, "more line"))")
    }
    if !proposal.tests.isEmpty, !isShort {
      lines.append(
        "  # " + Excerpt.line(proposal.tests.map(TerminalText.line).joined(separator: ", ")))
    }
    if let note = view.freedSecrets(of: index) { lines.append("  * \(note)") }
    if let group = view.group(of: index) {
      lines.append("  * \(view.freeing(group, besides: index))")
    }
    return lines
  }

  /// As `diff` shows it, and for a new stub what it is.
  private func difference(_ view: ReviewView, _ proposal: ScenarioReview.Proposal) -> [String] {
    let key = proposal.stub.key
    let before = view.review.existing?.stubs.first { $0.key == key }
    let after = proposal.kind == .unseen ? nil : proposal.stub
    let name = view.review.name
    let lines = DifferenceView(style: style).details(
      ScenarioDifference(
        from: Scenario(name: name, stubs: before.map { [$0] } ?? []),
        to: Scenario(name: name, stubs: after.map { [$0] } ?? [])))
    if proposal.kind == .conflict, before != nil {
      return [
        "  \(style.yellow("! " + TerminalText.line(key.rawValue)))  tests saw different answers:"
      ]
    }
    guard before == nil else { return lines }
    var shown = proposal.stub
    // The answers of a conflict are shown with the tests that saw them.
    if proposal.kind == .conflict { shown.responses = [] }
    let stub = StubView(stub: shown, style: style).lines.dropFirst(2).map { "    " + $0 }
    guard proposal.kind == .conflict else { return lines + stub }
    return lines + ["  ! tests saw different answers:"]
  }

  /// The different answers with their numbers.
  private func answers(_ proposal: ScenarioReview.Proposal) -> [String] {
    proposal.answers.list.enumerated().flatMap { place, answer in
      let tests = answer.tests.sorted().map(TerminalText.line).joined(separator: ", ")
      let isLast = place == proposal.answers.last ? ", the last one" : ""
      return [Excerpt.line("    \(place + 1)  \(tests)\(isLast)")]
        + answer.responses.flatMap { response in
          let view = ResponseView(response: response)
          return ["       \(view.headline)"] + view.details.map { Excerpt.line("         \($0)") }
        }
    }
  }
}

extension ReviewView {
  fileprivate func isConflict(_ index: Int) -> Bool { review.proposals[index].kind == .conflict }

  fileprivate func canEdit(_ index: Int) -> Bool { review.proposals[index].kind != .unseen }

  fileprivate func canFree(_ index: Int) -> Bool {
    let proposal = review.proposals[index]
    return proposal.kind != .unseen && !RequestPlaces(proposal.stub.request).values.isEmpty
  }
}

extension ReviewDecision {
  fileprivate var isDrop: Bool { if case .drop = self { true } else { false } }
}
