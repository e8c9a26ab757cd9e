internal import StubDBJSON
internal import StubDBModel

/// Merges three versions of a scenario, except for names and includes, which the catalog's merge handles.
struct ScenarioMerge {
  private(set) var conflicts: [Conflict] = []
  private let base: Scenario
  private let ours: Scenario
  private let theirs: Scenario
  private let name: ScenarioName

  /// Merges into a scenario with the given name; a scenario that both sides added has no base.
  static func merge(
    base: Scenario?, ours: Scenario, theirs: Scenario, name: ScenarioName
  ) -> (scenario: Scenario, conflicts: [Conflict]) {
    var merge = ScenarioMerge(base: base, ours: ours, theirs: theirs, name: name)
    var scenario = Scenario(name: name, includes: ours.includes)
    scenario.summary = merge.summary()
    scenario.tags = merge.tags()
    scenario.stubs = merge.stubs()
    return (scenario, merge.conflicts)
  }

  private init(base: Scenario?, ours: Scenario, theirs: Scenario, name: ScenarioName) {
    self.base = base ?? Scenario(name: name)
    self.ours = ours
    self.theirs = theirs
    self.name = name
  }

  private mutating func note(
    _ key: String?, _ pointer: JSONPointer, _ base: JSONValue?, _ ours: JSONValue?,
    _ theirs: JSONValue?
  ) {
    conflicts.append(
      Conflict(
        scenario: name, key: key, pointer: pointer, base: base, ours: ours, theirs: theirs))
  }

  private mutating func summary() -> String? {
    if ours.summary == theirs.summary || theirs.summary == base.summary { return ours.summary }
    if ours.summary == base.summary { return theirs.summary }
    note(
      nil, JSONPointer(["summary"]), base.summary.map(JSONValue.string),
      ours.summary.map(JSONValue.string), theirs.summary.map(JSONValue.string))
    return ours.summary
  }

  private func tags() -> [String] {
    Set(SetMerge.merge(base: base.tags, ours: ours.tags, theirs: theirs.tags)).sorted()
  }

  private typealias Identity = MergeIdentity<Stub.Key>

  /// The stubs of one version.
  private struct Version {
    let order: [Identity]
    let stubs: [Identity: Stub]

    init(_ scenario: Scenario, since base: Scenario, renames: [Stub.Key: Stub.Key] = [:]) {
      let known = Set(base.stubs.map(\.key))
      var order: [Identity] = []
      var stubs: [Identity: Stub] = [:]
      for stub in scenario.stubs {
        let old = renames[stub.key] ?? stub.key
        let identity = known.contains(old) ? Identity.base(old) : .added(stub.key)
        order.append(identity)
        stubs[identity] = stub
      }
      self.order = order
      self.stubs = stubs
    }
  }

  private mutating func stubs() -> [Stub] {
    let old = Version(base, since: base)
    var leftRenames = StubRenames.keys(from: base.stubs, to: ours.stubs)
    var rightRenames = StubRenames.keys(from: base.stubs, to: theirs.stubs)
    SharedRenames.complete(
      &leftRenames, &rightRenames, ours: Set(ours.stubs.map(\.key)),
      theirs: Set(theirs.stubs.map(\.key)))
    let left = Version(ours, since: base, renames: leftRenames)
    let right = Version(theirs, since: base, renames: rightRenames)
    var merged: [Identity: Stub] = [:]
    var noted: [(identity: Identity, clashes: [TreeMerge.Clash])] = []
    for identity in Set(old.order + left.order + right.order).sorted() {
      let (stub, clashes) = merge(old.stubs[identity], left.stubs[identity], right.stubs[identity])
      merged[identity] = stub
      if !clashes.isEmpty { noted.append((identity, clashes)) }
    }
    separateKeys(&merged, ours: left, theirs: right)
    for (identity, clashes) in noted {
      guard let stub = merged[identity] else { continue }
      for clash in clashes {
        note(stub.key.rawValue, clash.pointer, clash.base, clash.ours, clash.theirs)
      }
    }
    return order(old, left, right, Set(merged.keys)).compactMap { merged[$0] }
  }

  /// The merged stub; nil if it is removed.
  private func merge(
    _ base: Stub?, _ ours: Stub?, _ theirs: Stub?
  ) -> (Stub?, [TreeMerge.Clash]) {
    if ours == theirs || theirs == base { return (ours, []) }
    if ours == base { return (theirs, []) }
    guard let ours, let theirs else {
      // Edited on one side and removed on the other: the edited version stays until the conflict is settled.
      let clash = TreeMerge.Clash(
        pointer: JSONPointer(), base: base?.partsValue, ours: ours?.partsValue,
        theirs: theirs?.partsValue)
      return (ours ?? theirs, [clash])
    }
    return StubMerge.merge(base: base, ours: ours, theirs: theirs)
  }

  /// Makes a conflict of two stubs that would have the same key because one side renamed and the other added one.
  private mutating func separateKeys(
    _ merged: inout [Identity: Stub], ours: Version, theirs: Version
  ) {
    var owners: [Stub.Key: Identity] = [:]
    for identity in merged.keys.sorted() {
      guard let stub = merged[identity] else { continue }
      guard let owner = owners[stub.key], let other = merged[owner] else {
        owners[stub.key] = identity
        continue
      }
      // The stub that has this key on our side stays.
      let isOurs = ours.stubs[identity]?.key == stub.key
      let (kept, lost) = isOurs ? (identity, owner) : (owner, identity)
      let (ourStub, theirStub) = isOurs ? (stub, other) : (other, stub)
      merged[lost] = nil
      owners[stub.key] = kept
      note(stub.key.rawValue, JSONPointer(), nil, ourStub.partsValue, theirStub.partsValue)
    }
  }

  private mutating func order(
    _ base: Version, _ ours: Version, _ theirs: Version, _ surviving: Set<Identity>
  ) -> [Identity] {
    let order = OrderMerge.order(
      base: base.order, ours: ours.order, theirs: theirs.order, surviving: surviving)
    if let order { return order }
    func keys(_ scenario: Scenario) -> JSONValue {
      .array(scenario.stubs.map { .string($0.key.rawValue) })
    }
    note(nil, JSONPointer(["stubs"]), keys(self.base), keys(self.ours), keys(self.theirs))
    let kept = ours.order.filter(surviving.contains)
    let rest = surviving.subtracting(kept)
    return kept + theirs.order.filter(rest.contains)
  }
}

/// Merges three versions of one stub.
enum StubMerge {
  /// Returns the merged stub, and the places that both sides changed, which have our version.
  ///
  /// The result is always a stub that a document can express: if the parts of both sides do not fit together, the
  /// smallest enclosing part is taken as a whole from our side.
  static func merge(
    base: Stub?, ours: Stub, theirs: Stub
  ) -> (stub: Stub, clashes: [TreeMerge.Clash]) {
    if let base {
      if let stub = mergedPartByPart(base, ours, theirs) { return (stub, []) }
      if let stub = mergedWithoutConflict(base, ours, theirs) { return (stub, []) }
    }
    let values = (base?.partsValue, ours.partsValue, theirs.partsValue)
    var wholes: Set<JSONPointer> = []
    while true {
      var merge = TreeMerge()
      merge.wholes = wholes
      let merged = merge.merge(base: values.0, ours: values.1, theirs: values.2, .stub)
      do throws(DocumentError) {
        return (try Stub(documentValue: merged ?? values.1), merge.clashes)
      } catch {
        guard let place = next(around: error.pointer, besides: wholes) else {
          return (
            ours,
            [
              TreeMerge.Clash(
                pointer: JSONPointer(), base: values.0, ours: values.1, theirs: values.2)
            ]
          )
        }
        wholes.insert(place)
      }
    }
  }

  /// The merged stub if no part of it was changed on both sides; nil otherwise.
  ///
  /// Each part is then one side's as a whole, and the parts of a stub fit together however they are combined.
  private static func mergedPartByPart(_ base: Stub, _ ours: Stub, _ theirs: Stub) -> Stub? {
    var merged = ours
    guard take(&merged.key, base.key, theirs.key),
      take(&merged.summary, base.summary, theirs.summary),
      take(&merged.priority, base.priority, theirs.priority),
      take(&merged.isRequired, base.isRequired, theirs.isRequired),
      take(&merged.request, base.request, theirs.request),
      take(&merged.captures, base.captures, theirs.captures),
      take(&merged.responses, base.responses, theirs.responses, isSame: haveSameText),
      take(&merged.then, base.then, theirs.then),
      take(&merged.flow, base.flow, theirs.flow),
      take(&merged.recorded, base.recorded, theirs.recorded)
    else { return nil }
    return merged
  }

  /// Takes over their version of a part that only they changed; false if both changed it differently.
  private static func take<Part: Equatable>(
    _ ours: inout Part, _ base: Part, _ theirs: Part, isSame: (Part, Part) -> Bool = { $0 == $1 }
  ) -> Bool {
    if isSame(theirs, base) || isSame(theirs, ours) { return true }
    guard isSame(ours, base) else { return false }
    ours = theirs
    return true
  }

  /// Whether the responses are equal in a document too, where the case of names and the order of fields count.
  private static func haveSameText(_ one: [StubResponse], _ other: [StubResponse]) -> Bool {
    one == other && zip(one, other).allSatisfy { $0.hasSameHeaderText(as: $1) }
  }

  /// The merged stub if there is no conflict, found without looking at parts that all versions share; nil otherwise.
  private static func mergedWithoutConflict(_ base: Stub, _ ours: Stub, _ theirs: Stub) -> Stub? {
    var stubs = [base, ours, theirs]
    let parts = CommonParts(takenFrom: &stubs)
    var merge = TreeMerge()
    let merged = merge.merge(
      base: stubs[0].partsValue, ours: stubs[1].partsValue, theirs: stubs[2].partsValue, .stub)
    guard merge.clashes.isEmpty, let merged, let stub = try? Stub(documentValue: merged) else {
      return nil
    }
    return parts.putBack(into: stub)
  }

  /// The innermost enclosing place that was not tried yet.
  private static func next(
    around pointer: JSONPointer, besides tried: Set<JSONPointer>
  ) -> JSONPointer? {
    var place = pointer
    while !place.tokens.isEmpty {
      if !tried.contains(place) { return place }
      place.tokens.removeLast()
    }
    return nil
  }
}
