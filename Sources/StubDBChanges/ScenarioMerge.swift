internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Merges three versions of a scenario, except for names and includes, which the catalog's merge handles.
struct ScenarioMerge {
  private(set) var conflicts: [Conflict] = []
  private let base: Scenario
  private let ours: Scenario
  private let theirs: Scenario
  private let name: ScenarioName
  /// The disputed places outside the stubs, and in each stub of the base.
  private let disputed: [Stub.Key?: Set<JSONPointer>]

  /// Merges into a scenario with the given name; a scenario that both sides added has no base.
  ///
  /// Where the base has a conflict that both sides have settled, the place is `disputed`: what the base has there is
  /// not what the sides began with.
  static func merge(
    base: Scenario?, ours: Scenario, theirs: Scenario, disputed: [Conflict] = [],
    name: ScenarioName
  ) -> (scenario: Scenario, conflicts: [Conflict]) {
    var merge = ScenarioMerge(
      base: base, ours: ours, theirs: theirs, disputed: disputed, name: name)
    var scenario = Scenario(name: name, includes: ours.includes)
    scenario.summary = merge.summary()
    scenario.tags = merge.tags()
    scenario.stubs = merge.stubs()
    return (scenario, merge.conflicts)
  }

  private init(
    base: Scenario?, ours: Scenario, theirs: Scenario, disputed: [Conflict], name: ScenarioName
  ) {
    self.base = base ?? Scenario(name: name)
    self.ours = ours
    self.theirs = theirs
    self.name = name
    self.disputed = Dictionary(grouping: disputed) { $0.key.map(Stub.Key.init(unchecked:)) }
      .mapValues { Set($0.map(\.pointer)) }
  }

  /// Whether a place outside the stubs is disputed.
  private func isDisputed(_ pointer: JSONPointer) -> Bool {
    disputed[nil]?.contains(pointer) ?? false
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
    if ours.summary.hasSameBytes(as: theirs.summary) { return ours.summary }
    let place = JSONPointer(["summary"])
    let isDisputed = isDisputed(place)
    if !isDisputed, theirs.summary.hasSameBytes(as: base.summary) { return ours.summary }
    if !isDisputed, ours.summary.hasSameBytes(as: base.summary) { return theirs.summary }
    note(
      nil, place, isDisputed ? nil : base.summary.map(JSONValue.string),
      ours.summary.map(JSONValue.string), theirs.summary.map(JSONValue.string))
    return ours.summary
  }

  private func tags() -> [String] {
    SetMerge.merge(
      base: base.tags.map { ByteText($0) }, ours: ours.tags.map { ByteText($0) },
      theirs: theirs.tags.map { ByteText($0) }
    ).sorted().map(\.string)
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
      let (stub, clashes) = merge(
        old.stubs[identity], left.stubs[identity], right.stubs[identity],
        disputed: old.stubs[identity].flatMap { disputed[$0.key] } ?? [])
      merged[identity] = stub
      if !clashes.isEmpty { noted.append((identity, clashes)) }
    }
    keepOldKeys(of: &merged, &noted, ours: left, theirs: right)
    separateKeys(&merged, &noted, ours: left, theirs: right)
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
    _ base: Stub?, _ ours: Stub?, _ theirs: Stub?, disputed: Set<JSONPointer>
  ) -> (Stub?, [TreeMerge.Clash]) {
    if ours == theirs { return (ours, []) }
    if disputed.isEmpty, theirs == base { return (ours, []) }
    if disputed.isEmpty, ours == base { return (theirs, []) }
    guard let ours, let theirs, !disputed.contains(JSONPointer()) else {
      // Edited on one side and removed on the other: the edited version stays until the conflict is settled.
      let clash = TreeMerge.Clash(
        pointer: JSONPointer(), base: disputed.isEmpty ? base?.partsValue : nil,
        ours: ours?.partsValue, theirs: theirs?.partsValue)
      return (ours ?? theirs, [clash])
    }
    return StubMerge.merge(base: base, ours: ours, theirs: theirs, disputed: disputed)
  }

  /// Gives two stubs to which each side gave the same new key their old keys, and makes conflicts of the keys.
  ///
  /// The new key is then free in the merged scenario, so that either side's keys can be chosen.
  private func keepOldKeys(
    of merged: inout [Identity: Stub],
    _ noted: inout [(identity: Identity, clashes: [TreeMerge.Clash])], ours: Version,
    theirs: Version
  ) {
    let owners = Dictionary(ours.stubs.map { ($1.key, $0) }) { first, _ in first }
    var renamed: Set<Identity> = []
    for (identity, stub) in theirs.stubs {
      guard case .base = identity, let owner = owners[stub.key], case .base = owner,
        owner != identity, merged[owner] != nil, merged[identity] != nil
      else { continue }
      renamed.formUnion([owner, identity])
    }
    for identity in renamed.sorted() {
      merged[identity]?.key = identity.name
      noteKey(of: identity, &noted, ours: ours, theirs: theirs)
    }
  }

  /// Makes conflicts of two stubs that would have the same key because one side renamed and the other added one.
  ///
  /// The renamed stub keeps its old key, so that it is in the scenario whichever side is chosen for the other.
  private mutating func separateKeys(
    _ merged: inout [Identity: Stub],
    _ noted: inout [(identity: Identity, clashes: [TreeMerge.Clash])], ours: Version,
    theirs: Version
  ) {
    var owners: [Stub.Key: Identity] = [:]
    for identity in merged.keys.sorted() {
      guard let stub = merged[identity] else { continue }
      guard let owner = owners[stub.key], let other = merged[owner] else {
        owners[stub.key] = identity
        continue
      }
      // Those that were added are sorted before those of the base.
      if case .base(let old) = identity, case .added = owner,
        !merged.values.contains(where: { $0.key == old })
      {
        merged[identity]?.key = old
        owners[old] = identity
        noteKey(of: identity, &noted, ours: ours, theirs: theirs)
        note(
          stub.key.rawValue, JSONPointer(), nil, ours.stubs[owner]?.partsValue,
          theirs.stubs[owner]?.partsValue)
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

  /// Makes a conflict of the key of a stub of the base.
  private func noteKey(
    of identity: Identity, _ noted: inout [(identity: Identity, clashes: [TreeMerge.Clash])],
    ours: Version, theirs: Version
  ) {
    let place = JSONPointer(["key"])
    let index = noted.firstIndex { $0.identity == identity }
    var clashes = index.map { noted[$0].clashes } ?? []
    // A conflict about the whole stub has the keys already.
    guard !clashes.contains(where: { $0.pointer.tokens.isEmpty }) else { return }
    clashes.removeAll { $0.pointer == place }
    func text(_ version: Version) -> JSONValue? {
      version.stubs[identity].map { .string($0.key.rawValue) }
    }
    clashes.append(
      TreeMerge.Clash(
        pointer: place, base: .string(identity.name.rawValue), ours: text(ours),
        theirs: text(theirs)))
    if let index { noted[index].clashes = clashes } else { noted.append((identity, clashes)) }
  }

  private mutating func order(
    _ base: Version, _ ours: Version, _ theirs: Version, _ surviving: Set<Identity>
  ) -> [Identity] {
    let order = OrderMerge.order(
      base: base.order, ours: ours.order, theirs: theirs.order, surviving: surviving)
    let common = surviving.intersection(ours.order).intersection(theirs.order)
    let isDisputed =
      isDisputed(.stubs)
      && ours.order.filter(common.contains) != theirs.order.filter(common.contains)
    if let order, !isDisputed { return order }
    func keys(_ scenario: Scenario) -> JSONValue {
      .array(scenario.stubs.map { .string($0.key.rawValue) })
    }
    note(nil, .stubs, isDisputed ? nil : keys(self.base), keys(self.ours), keys(self.theirs))
    let kept = ours.order.filter(surviving.contains)
    let rest = surviving.subtracting(kept)
    return kept + theirs.order.filter(rest.contains)
  }
}
