import Foundation
import StubDBJSON
import StubDBModel

/// Names of a draft that somebody typed: a scenario, or a stub of it.
struct ReviewNames {
  private let reviews: [ScenarioReview]
  private var scenarios: [String: Int] = [:]
  private var stubs: [String: (review: Int, proposal: Int)] = [:]

  init(_ reviews: [ScenarioReview]) {
    self.reviews = reviews
    for (index, review) in reviews.enumerated() {
      scenarios[review.name.rawValue] = index
      for (place, proposal) in review.proposals.enumerated() {
        stubs["\(review.name)/\(proposal.stub.key)"] = (index, place)
      }
    }
  }

  /// A scenario, with a proposal of it or nil for all.
  typealias Target = (review: Int, proposal: Int?)

  /// - Throws: ``CommandError`` for a name that the draft does not have.
  func target(_ text: String) throws -> Target {
    if let review = scenarios[text] { return (review, nil) }
    if let stub = stubs[text] { return stub }
    throw CommandError(
      "the draft has nothing for \(TerminalText.quoted(text)); nothing was changed",
      hints: ["To see what it has: \(FollowUp.program) review"])
  }

  /// A stub and a place of its request, such as `checkout/paid/post-v1-events:/body/timestamp`.
  ///
  /// - Throws: ``CommandError`` for a name that the draft does not have, or a place that the request does not have.
  func place(_ text: String) throws -> (stub: (review: Int, proposal: Int), place: JSONPointer) {
    // A key may hold what looks like the beginning of a place.
    var end = text.endIndex
    while let colon = text[..<end].range(of: ":/", options: .backwards) {
      end = colon.lowerBound
      guard let stub = stubs[String(text[..<end])] else { continue }
      let proposal = reviews[stub.review].proposals[stub.proposal]
      let places =
        proposal.kind == .unseen ? [] : RequestPlaces.pointers(of: proposal.stub.request)
      let written = JSONPointer(parsing: String(text[text.index(after: end)...]))
      let place = written.map { $0.tokens.first == "headers" ? $0.lowercased : $0 }
      if let place, places.contains(place) { return (stub, place) }
      throw CommandError(
        "the request of \(TerminalText.line(String(text[..<end]))) has no place "
          + "\(TerminalText.quoted(String(text[text.index(after: end)...]))); nothing was changed",
        hints: places.isEmpty
          ? ["It has none that could be left free."]
          : ["It has: \(ReviewView.text(Array(places.prefix(20))))"])
    }
    _ = try target(text)
    throw UsageError(
      "--free needs a place after the stub, such as \(TerminalText.line(text)):/body/timestamp.")
  }
}

extension JSONPointer {
  fileprivate var lowercased: JSONPointer { JSONPointer(tokens.map { $0.lowercased() }) }
}

/// The decisions that options make.
struct ReviewChoices {
  private let reviews: [ScenarioReview]
  private var decisions: [[Stub.Key: ReviewDecision]]

  /// - Throws: ``CommandError`` for a name that the draft does not have.
  static func decisions(
    of command: RootCommand.Review, on reviews: [ScenarioReview]
  ) throws -> ReviewOutcome {
    var choices = ReviewChoices(
      reviews: reviews, decisions: Array(repeating: [:], count: reviews.count))
    let names = ReviewNames(reviews)
    let only = try command.only.map(names.target)
    // What is said of a stub counts more than what is said of all, and to drop it more than to take it.
    if command.rejectAll { choices.decide(.drop, all: only, alsoConflicts: true) }
    if command.acceptAll { choices.decide(.take(answer: nil), all: only, alsoConflicts: false) }
    for text in command.accept {
      let target = try names.target(text)
      choices.decide(.take(answer: nil), target, alsoConflicts: target.proposal != nil)
    }
    for text in command.free { choices.free(try names.place(text)) }
    for text in command.reject {
      choices.decide(.drop, try names.target(text), alsoConflicts: true)
    }
    return ReviewOutcome(
      decisions: Dictionary(zip(reviews.map(\.name), choices.decisions)) { first, _ in first },
      dropsUnreadable: command.rejectAll && only == nil)
  }

  private mutating func decide(
    _ decision: ReviewDecision, all only: ReviewNames.Target?, alsoConflicts: Bool
  ) {
    if let only { return decide(decision, only, alsoConflicts: alsoConflicts) }
    for review in reviews.indices { decide(decision, (review, nil), alsoConflicts: alsoConflicts) }
  }

  private mutating func decide(
    _ decision: ReviewDecision, _ target: ReviewNames.Target, alsoConflicts: Bool
  ) {
    let proposals = reviews[target.review].proposals
    for place in target.proposal.map({ $0..<$0 + 1 }) ?? proposals.indices
    where alsoConflicts || proposals[place].kind != .conflict {
      decisions[target.review][proposals[place].stub.key] = decision
    }
  }

  private mutating func free(_ choice: (stub: (review: Int, proposal: Int), place: JSONPointer)) {
    let key = reviews[choice.stub.review].proposals[choice.stub.proposal].stub.key
    var places: Set = [choice.place]
    if case .free(let more)? = decisions[choice.stub.review][key] { places.formUnion(more) }
    decisions[choice.stub.review][key] = .free(places)
  }
}
