package import StubDBChanges
package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The proposals for a scenario that are shown or asked about, with those that could be one stub.
package struct ReviewSelection {
  package let review: ScenarioReview
  /// The indices of the proposals that are shown.
  package let shown: [Int]
  private let duplicates: NearDuplicates
  /// For each group the first of its proposals that is shown.
  private let firstShown: [Int: Int]

  package init(_ review: ScenarioReview, shown: [Int]) {
    (self.review, self.shown) = (review, shown)
    let duplicates = NearDuplicates(review)
    self.duplicates = duplicates
    firstShown = Dictionary(
      shown.compactMap { index in duplicates.places[index].map { ($0, index) } }
    ) { first, _ in first }
  }

  /// What waits and is selected by a name: a scenario, a stub of it, or everything if nil.
  ///
  /// - Throws: ``ReviewRefusal`` for a name that the draft does not have.
  package static func all(of reviews: [ScenarioReview], only name: String?) throws -> [Self] {
    let only = try name.map(ReviewNames(reviews).target)
    return reviews.enumerated().compactMap { index, review in
      guard !review.proposals.isEmpty, only == nil || only?.review == index else { return nil }
      return Self(review, shown: only?.proposal.map { [$0] } ?? Array(review.proposals.indices))
    }
  }

  /// How the scenario would differ if all that is shown were taken.
  package var difference: ScenarioDifference {
    let decisions = Dictionary(
      shown.map { (review.proposals[$0].stub.key, ReviewDecision.take(answer: nil)) }
    ) { first, _ in first }
    return ScenarioDifference(
      from: review.existing ?? Scenario(name: review.name),
      to: ReviewResolution(review, decisions).scenario)
  }

  /// Whether tests saw different answers.
  package func isConflict(_ index: Int) -> Bool { review.proposals[index].kind == .conflict }

  /// Whether there is a stub to edit.
  package func canEdit(_ index: Int) -> Bool { review.proposals[index].kind != .unseen }

  /// Whether the request has places that can be left free.
  package func canFree(_ index: Int) -> Bool {
    canEdit(index) && !RequestPlaces(review.proposals[index].stub.request).values.isEmpty
  }

  /// The proposals that would be one stub with this one; nil if there is no such thing.
  package func group(of index: Int) -> NearDuplicates.Group? {
    duplicates.places[index].map { duplicates.groups[$0] }
  }

  /// Whether no other proposal of its group is shown before it.
  package func isFirstShown(_ index: Int) -> Bool {
    duplicates.places[index].flatMap { firstShown[$0] } == index
  }

  /// The options that leave the places of the first group free, or nil.
  package var freeingOptions: [String]? {
    guard let group = shown.lazy.compactMap({ group(of: $0) }).first else { return nil }
    let key = review.proposals[group.proposals[0]].stub.key
    return group.places.flatMap { ["--free", "\(review.name)/\(key):\($0)"] }
  }
}

// The proposals as JSON.
extension ReviewSelection {
  /// An object for each proposal that is shown.
  package var json: [OrderedJSON] {
    shown.map { index in
      let proposal = review.proposals[index]
      var members: [(String, OrderedJSON)] = [
        ("scenario", .string(review.name.rawValue)),
        ("key", .string(proposal.stub.key.rawValue)),
        ("kind", .string(proposal.kind.rawValue)),
        ("tests", .strings(proposal.tests)),
        ("stub", .json(proposal.stub.documentValue)),
      ]
      if proposal.kind == .conflict {
        members.append(("answers", .array(proposal.answers.list.map(Self.json))))
      }
      if !proposal.freedSecrets.isEmpty {
        members.append(("freed", .strings(proposal.freedSecrets.map(\.description))))
      }
      if let group = group(of: index) {
        let free: [(String, OrderedJSON)] = [
          ("places", .strings(group.places.map(\.description))),
          ("with", .strings(others(group, besides: index))),
        ]
        members.append(("free", .object(free)))
      }
      return .object(members)
    }
  }

  /// The keys of the stubs that one stub with this one would take the place of.
  ///
  /// All are with the first only, so that a large group is not listed with each of its members.
  private func others(_ group: NearDuplicates.Group, besides index: Int) -> [String] {
    let others = isFirstShown(index) ? group.proposals[...] : group.proposals.prefix(1)
    return (group.existing.map { [$0.rawValue] } ?? [])
      + others.filter { $0 != index }.map { review.proposals[$0].stub.key.rawValue }
  }

  private static func json(_ answer: SeenAnswers.Answer) -> OrderedJSON {
    let stub = Stub(key: .unset, responses: answer.responses).documentValue
    return .object([
      ("tests", .strings(answer.tests.sorted())),
      ("responses", .json(stub.value(at: JSONPointer(["responses"])) ?? .array([]))),
    ])
  }
}
