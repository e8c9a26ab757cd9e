import StubDBChanges
import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBSupport

/// Asks on the terminal for a decision about each proposal, one key each.
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

  let selections: [ReviewSelection]
  let keys: TerminalKeys
  let editing: ReviewEditing
  private(set) var session = ReviewSession()
  /// The texts that the user edited.
  private(set) var drafts: [DocumentDraft] = []
  private let style = Style.output

  init(_ selections: [ReviewSelection], _ keys: TerminalKeys, _ editing: ReviewEditing) {
    (self.selections, self.keys, self.editing) = (selections, keys, editing)
  }

  /// Asks until everything is decided, or the user quits.
  ///
  /// - Throws: ``CommandError`` if the terminal goes away.
  mutating func run() throws {
    for selection in selections {
      session.beginScenario()
      let isNew = selection.review.existing == nil ? " (a new scenario)" : ""
      try line(style.bold("~ \(selection.review.name)") + isNew)
      for (place, index) in selection.shown.enumerated() {
        if session.isDecided(index, of: selection) { continue }
        for line in lines(selection, index) { try self.line(line) }
        var step = Step.again
        while case .again = step { step = try ask(selection, index, place) }
        if case .quit = step { return }
      }
    }
  }

  private func line(_ text: String) throws { try Console.line(text) }

  // MARK: Keys

  private mutating func ask(_ selection: ReviewSelection, _ index: Int, _ place: Int) throws -> Step
  {
    let answers =
      selection.isConflict(index) ? min(9, selection.review.proposals[index].answers.list.count) : 0
    let letters = keyNames(selection, index, answers)
    let question =
      "(\(place + 1)/\(selection.shown.count)) \(question(selection, index)) [\(letters.joined(separator: ","))] "
    let key = try self.key(after: question)
    guard case .character(let character) = key else {
      try line("")
      if case .end = key { return .quit }
      return .again
    }
    try line(String(character))
    if let number = character.wholeNumberValue, (1...9).contains(number), number <= answers {
      session.decide(.take(answer: number - 1), index, of: selection)
      return .next
    }
    switch character {
    case "y": session.decide(.take(answer: nil), index, of: selection)
    case "n": session.decide(.drop, index, of: selection)
    case "l": session.decide(.leave, index, of: selection)
    case "a", "d":
      let rest = character == "a" ? ReviewDecision.take(answer: nil) : .drop
      return session.decideRest(rest, from: index, of: selection) ? .next : .again
    case "e" where selection.canEdit(index): return try edit(selection, index) ? .next : .again
    case "f" where selection.canFree(index): return try free(selection, index) ? .next : .again
    case "q": return .quit
    default:
      for line in help(selection, index, answers) { try self.line(line) }
      return .again
    }
    return .next
  }

  private func key(after question: String) throws -> TerminalKeys.Key {
    let key = keys.next(after: style.bold(question))
    if key == .gone { throw CommandError("the terminal is gone; nothing was changed") }
    return key
  }

  private func question(_ selection: ReviewSelection, _ index: Int) -> String {
    switch selection.review.proposals[index].kind {
    case .new: "Take this stub?"
    case .changed: "Take this answer?"
    case .conflict: "Take which answer?"
    case .unseen: "Remove this stub from the catalog?"
    }
  }

  private func keyNames(_ selection: ReviewSelection, _ index: Int, _ answers: Int) -> [String] {
    (answers > 1 ? ["1-\(answers)"] : []) + ["y", "n", "l"]
      + (selection.canEdit(index) ? ["e"] : [])
      + (selection.canFree(index) ? ["f"] : []) + ["a", "d", "q", "?"]
  }

  private func help(_ selection: ReviewSelection, _ index: Int, _ answers: Int) -> [String] {
    var lines: [String] = []
    if answers > 1 { lines.append("1-\(answers)  take this answer") }
    switch selection.review.proposals[index].kind {
    case .new, .changed: lines.append("y  take it into the catalog")
    case .conflict: lines.append("y  take the answer that was seen last")
    case .unseen: lines.append("y  remove it from the catalog")
    }
    lines += [
      selection.review.proposals[index].kind == .unseen
        ? "n  keep it in the catalog" : "n  drop it from the draft",
      "l  leave it waiting",
    ]
    if selection.canEdit(index) { lines.append("e  edit it, and take what is saved") }
    if let group = selection.group(of: index) {
      lines.append("f  take it with \(ReviewView.text(group.places)) free")
    } else if selection.canFree(index) {
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

  private mutating func edit(_ selection: ReviewSelection, _ index: Int) throws -> Bool {
    let others = session.outcome.decisions[selection.review.name] ?? [:]
    do {
      let (stubs, draft) = try keys.withUsualMode {
        try editing.stubs(selection.review, index, others)
      }
      drafts.append(draft)
      session.decide(.edit(stubs), index, of: selection)
      return true
    } catch {
      try line("\(style.red("Error:")) \(ErrorText.message(for: error))")
      return false
    }
  }

  private mutating func free(_ selection: ReviewSelection, _ index: Int) throws -> Bool {
    if let group = selection.group(of: index) {
      session.free(Set(group.places), index, of: selection)
      return true
    }
    let pointers = Array(
      RequestPlaces.pointers(of: selection.review.proposals[index].stub.request).prefix(9))
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
    session.free([pointers[number - 1]], index, of: selection)
    return true
  }
}

// What is shown.
extension ReviewDialog {
  private func lines(_ selection: ReviewSelection, _ index: Int) -> [String] {
    let proposal = selection.review.proposals[index]
    let isShort = proposal.kind == .conflict
    let view = ReviewView(selection)
    var lines = difference(selection, proposal) + (isShort ? answers(proposal) : [])
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
    if let group = selection.group(of: index) {
      lines.append("  * \(view.freeing(group, besides: index))")
    }
    return lines
  }

  /// As `diff` shows it, and for a new stub what it is.
  private func difference(_ selection: ReviewSelection, _ proposal: ScenarioReview.Proposal)
    -> [String]
  {
    let key = proposal.stub.key
    let before = selection.review.existing?.stubs.first { $0.key == key }
    let after = proposal.kind == .unseen ? nil : proposal.stub
    let name = selection.review.name
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
