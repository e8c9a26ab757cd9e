import StubDBContainment
internal import StubDBModel

/// Finds the stubs of a scenario that are about recorded requests.
struct StubsByRequest {
  /// The most sets of free places among stubs with the same places; of further ones only equal requests are found.
  private static let maximumFreeSets = 16

  private var exact: [RequestPattern: Int] = [:]
  /// The stubs by what they ask for, whether or not they allow more.
  private var inexact: [RequestPattern: Int] = [:]
  /// The stubs that leave places free, by what they have in common and by which places are free.
  private var open: [RequestPattern: [[Bool]: [[RequestPlaces.Value]: Int]]] = [:]

  package init(_ stubs: [Stub]) {
    for (index, stub) in stubs.enumerated() {
      if exact[stub.request] == nil { exact[stub.request] = index }
      let inexactRequest = stub.request.withoutExactness
      if inexact[inexactRequest] == nil { inexact[inexactRequest] = index }
      let places = RequestPlaces(stub.request)
      let free = places.values.map { $0 == .free }
      guard free.contains(true) else { continue }
      let sets = open[places.skeleton] ?? [:]
      guard sets[free] != nil || sets.count < Self.maximumFreeSets else { continue }
      if sets[free]?[places.values] == nil {
        open[places.skeleton, default: [:]][free, default: [:]][places.values] = index
      }
    }
  }

  /// The index of the stub that is about such requests, or nil.
  ///
  /// It has the same pattern, or one that only leaves places free or allows more parameters, fields or parts.
  package func place(of request: RequestPattern) -> Int? {
    if let place = exact[request] ?? inexact[request.withoutExactness] { return place }
    guard !open.isEmpty else { return nil }
    let places = RequestPlaces(request)
    guard let sets = open[places.skeleton] else { return nil }
    return sets.compactMap { free, stubs in
      stubs[zip(free, places.values).map { $0 ? .free : $1 }]
    }.min()
  }

  /// The proposals by the stub that is about them, in their order; those without such a stub are alone.
  func grouped(
    _ proposals: [ScenarioReview.Proposal]
  ) -> [(place: Int?, proposals: [ScenarioReview.Proposal])] {
    var groups: [(place: Int?, proposals: [ScenarioReview.Proposal])] = []
    var known: [Int: Int] = [:]
    for proposal in proposals {
      let place = place(of: proposal.stub.request)
      if let place, let group = known[place] {
        groups[group].proposals.append(proposal)
        continue
      }
      if let place { known[place] = groups.count }
      groups.append((place, [proposal]))
    }
    return groups
  }
}
