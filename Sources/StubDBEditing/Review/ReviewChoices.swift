internal import Foundation
internal import StubDBDocuments
package import StubDBJSON
internal import StubDBModel

/// Typed names of a draft: a scenario, or a stub of it.
package struct ReviewNames {
  private let reviews: [ScenarioReview]
  private var scenarios: [String: Int] = [:]
  private var stubs: [String: (review: Int, proposal: Int)] = [:]

  package init(_ reviews: [ScenarioReview]) {
    self.reviews = reviews
    for (index, review) in reviews.enumerated() {
      scenarios[review.name.rawValue] = index
      for (place, proposal) in review.proposals.enumerated() {
        stubs["\(review.name)/\(proposal.stub.key)"] = (index, place)
      }
    }
  }

  /// A scenario, with a proposal of it or nil for all.
  package typealias Target = (review: Int, proposal: Int?)

  /// - Throws: ``ReviewRefusal`` for a name that the draft does not have.
  package func target(_ text: String) throws -> Target {
    if let review = scenarios[text] { return (review, nil) }
    if let stub = stubs[text] { return stub }
    throw ReviewRefusal.unknownName(text)
  }

  /// A stub and a place of its request, such as `checkout/paid/post-v1-events:/body/timestamp`.
  ///
  /// - Throws: ``ReviewRefusal`` for a name that the draft does not have, or a place that the request does not have.
  package func place(_ text: String) throws -> (
    stub: (review: Int, proposal: Int), place: JSONPointer
  ) {
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
      throw ReviewRefusal.unknownPlace(
        String(text[text.index(after: end)...]), of: String(text[..<end]), among: places)
    }
    _ = try target(text)
    throw ReviewRefusal.missingPlace(text)
  }
}

extension JSONPointer {
  fileprivate var lowercased: JSONPointer { JSONPointer(tokens.map { $0.lowercased() }) }
}

/// Decisions about named scenarios and stubs, or about everything.
package struct ReviewChoices {
  /// The scenario or the stub that `acceptAll` and `rejectAll` are limited to.
  package var only: String?
  package var accept: [String]
  package var acceptAll: Bool
  /// Stubs with a place, such as `checkout/paid/post-v1-events:/body/timestamp`.
  package var free: [String]
  package var reject: [String]
  package var rejectAll: Bool

  package init(
    only: String? = nil, accept: [String] = [], acceptAll: Bool = false, free: [String] = [],
    reject: [String] = [], rejectAll: Bool = false
  ) {
    (self.only, self.accept, self.acceptAll) = (only, accept, acceptAll)
    (self.free, self.reject, self.rejectAll) = (free, reject, rejectAll)
  }

  /// Whether there is any decision.
  package var isEmpty: Bool {
    !acceptAll && !rejectAll && accept.isEmpty && reject.isEmpty && free.isEmpty
  }

  /// - Throws: ``ReviewRefusal`` for a name that the draft does not have.
  package func outcome(on reviews: [ScenarioReview]) throws -> ReviewOutcome {
    var choices = ReviewedChoices(reviews)
    let names = ReviewNames(reviews)
    let only = try only.map(names.target)
    // What is said of a stub counts more than what is said of all, and to drop it more than to take it.
    if rejectAll { choices.decide(.drop, all: only, alsoConflicts: true) }
    if acceptAll { choices.decide(.take(answer: nil), all: only, alsoConflicts: false) }
    for text in accept {
      let target = try names.target(text)
      choices.decide(.take(answer: nil), target, alsoConflicts: target.proposal != nil)
    }
    for text in free { choices.free(try names.place(text)) }
    for text in reject {
      choices.decide(.drop, try names.target(text), alsoConflicts: true)
    }
    return ReviewOutcome(
      decisions: Dictionary(zip(reviews.map(\.name), choices.decisions)) { first, _ in first },
      dropsUnreadable: rejectAll && only == nil)
  }
}

private struct ReviewedChoices {
  private let reviews: [ScenarioReview]
  private(set) var decisions: [[Stub.Key: ReviewDecision]]

  init(_ reviews: [ScenarioReview]) {
    self.reviews = reviews
    decisions = Array(repeating: [:], count: reviews.count)
  }

  mutating func decide(
    _ decision: ReviewDecision, all only: ReviewNames.Target?, alsoConflicts: Bool
  ) {
    if let only { return decide(decision, only, alsoConflicts: alsoConflicts) }
    for review in reviews.indices { decide(decision, (review, nil), alsoConflicts: alsoConflicts) }
  }

  mutating func decide(
    _ decision: ReviewDecision, _ target: ReviewNames.Target, alsoConflicts: Bool
  ) {
    let proposals = reviews[target.review].proposals
    for place in target.proposal.map({ $0..<$0 + 1 }) ?? proposals.indices
    where alsoConflicts || proposals[place].kind != .conflict {
      decisions[target.review][proposals[place].stub.key] = decision
    }
  }

  mutating func free(_ choice: (stub: (review: Int, proposal: Int), place: JSONPointer)) {
    let key = reviews[choice.stub.review].proposals[choice.stub.proposal].stub.key
    var places: Set = [choice.place]
    if case .free(let more)? = decisions[choice.stub.review][key] { places.formUnion(more) }
    decisions[choice.stub.review][key] = .free(places)
  }
}
