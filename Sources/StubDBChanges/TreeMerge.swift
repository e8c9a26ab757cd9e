internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Merges three versions of a document value by member and element.
///
/// If both sides changed a place differently, our version stays and a conflict is recorded.
struct TreeMerge {
  /// A place that both sides changed differently.
  struct Clash: Equatable {
    var pointer: JSONPointer
    var base: JSONValue?
    var ours: JSONValue?
    var theirs: JSONValue?
  }

  private(set) var clashes: [Clash] = []
  /// The places that are merged as a whole, because merging their parts would not make a valid document.
  var wholes: Set<JSONPointer> = []
  /// The places of the base that have a conflict which both sides have settled.
  ///
  /// What the base has there is not what the sides began with: different values are a conflict, even if the base has
  /// one of them.
  var disputed: Set<JSONPointer> = []

  /// The merged value; nil if it was removed.
  ///
  /// `pointer` is its place in the merged document, `origin` that in the base.
  mutating func merge(
    base: JSONValue?, ours: JSONValue?, theirs: JSONValue?, _ kind: NodeKind,
    at pointer: JSONPointer = JSONPointer(), from origin: JSONPointer = JSONPointer()
  ) -> JSONValue? {
    if ours == theirs { return ours }
    let isDisputed = kind != .recording && hasDispute(in: origin)
    if !isDisputed, theirs == base { return ours }
    if !isDisputed, ours == base { return theirs }
    if kind == .recording { return latest(ours, theirs) }
    let known = isDisputed ? nil : base
    guard !wholes.contains(pointer), !disputed.contains(origin), let ours, let theirs,
      base != nil || !kind.isAtomic
    else { return clash(known, ours, theirs, at: pointer) }
    switch (base ?? ours.emptied, ours, theirs) {
    case (.object(let old), .object(let left), .object(let right)):
      let mark = clashes.count
      if let merged = members(old, left, right, kind, at: pointer, from: origin),
        !isMixed(merged, left, right, kind, at: pointer, since: mark)
      {
        return .object(merged)
      }
      clashes.removeSubrange(mark...)
    case (_, .array, _) where kind.isSet, (_, _, .array) where kind.isSet:
      if let merged = words(base, ours, theirs, kind) { return merged }
    case (.array(let old), .array(let left), .array(let right)):
      let mark = clashes.count
      if let merged = elements(old, left, right, kind, at: pointer, from: origin) {
        return .array(merged)
      }
      clashes.removeSubrange(mark...)
    default: break
    }
    return clash(known, ours, theirs, at: pointer)
  }

  /// Whether a place of the base, or one inside it, is disputed.
  private func hasDispute(in origin: JSONPointer) -> Bool {
    disputed.contains { $0.tokens.starts(with: origin.tokens) }
  }

  /// The later of two recordings: where a stub came from changes no answer, so it is no reason for a conflict.
  ///
  /// The result does not depend on which side is ours. A recording that one side removed stays.
  private func latest(_ ours: JSONValue?, _ theirs: JSONValue?) -> JSONValue? {
    guard let ours, let theirs else { return ours ?? theirs }
    guard let left = try? Stub.Recording(documentValue: ours),
      let right = try? Stub.Recording(documentValue: theirs)
    else { return ours }
    return left.isBefore(right) ? theirs : ours
  }

  private mutating func clash(
    _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?, at pointer: JSONPointer
  ) -> JSONValue? {
    clashes.append(Clash(pointer: pointer, base: base, ours: ours, theirs: theirs))
    return ours
  }

  /// Merges objects by member; nil if both sides changed how a name is written, or one did and the other removed it.
  private mutating func members(
    _ base: JSONObject, _ ours: JSONObject, _ theirs: JSONObject,
    _ kind: NodeKind, at pointer: JSONPointer, from origin: JSONPointer
  ) -> JSONObject? {
    var merged = ours
    for key in kind.names(Set(base.names).union(ours.names).union(theirs.names)) {
      let old = kind.find(key, in: base)
      let (left, right) = (kind.find(key, in: ours), kind.find(key, in: theirs))
      let value = merge(
        base: old?.value, ours: left?.value, theirs: right?.value, kind.member(key),
        at: pointer.appending(key), from: origin.appending(key))
      guard let name = mergedName(old?.name, left?.name, right?.name) else { return nil }
      if let left, !name.hasSameBytes(as: left.name) { merged[left.name] = nil }
      merged[name] = value
    }
    return merged
  }

  /// How the name of a member is written; nil if that is in dispute.
  private func mergedName(_ base: String?, _ ours: String?, _ theirs: String?) -> String? {
    if ours.hasSameBytes(as: theirs) || theirs.hasSameBytes(as: base) { return ours ?? base }
    return ours.hasSameBytes(as: base) ? theirs ?? base : nil
  }

  /// Whether an object that represents one of several things would become two of them, or one side edited a thing that
  /// the other side replaced.
  private func isMixed(
    _ merged: JSONObject, _ ours: JSONObject, _ theirs: JSONObject,
    _ kind: NodeKind, at pointer: JSONPointer, since mark: Int
  ) -> Bool {
    let choice = kind.choice(in: merged)
    if choice != kind.choice(in: ours), choice != kind.choice(in: theirs) { return true }
    return clashes[mark...].contains { clash in
      guard clash.ours == nil || clash.theirs == nil,
        clash.pointer.tokens.count == pointer.tokens.count + 1, let name = clash.pointer.tokens.last
      else { return false }
      return !kind.choice(in: [name: .null]).isEmpty
    }
  }

  /// Merges lists whose elements have an order but no names; nil if that is impossible.
  private mutating func elements(
    _ base: [JSONValue], _ ours: [JSONValue], _ theirs: [JSONValue], _ kind: NodeKind,
    at pointer: JSONPointer, from origin: JSONPointer
  ) -> [JSONValue]? {
    let left = SequenceAlignment(base, ours)
    let right = SequenceAlignment(base, theirs)
    var merged: [JSONValue] = []
    for gap in 0...base.count {
      let leftNew = (left.insertions[gap] ?? []).map { ours[$0] }
      let rightNew = (right.insertions[gap] ?? []).map { theirs[$0] }
      // The merge cannot decide which of two different elements comes first.
      guard leftNew.isEmpty || rightNew.isEmpty || leftNew == rightNew else {
        return nil
      }
      merged += leftNew.isEmpty ? rightNew : leftNew
      guard gap < base.count else { continue }
      let place = origin.appending(gap)
      switch (left.places[gap].map { ours[$0] }, right.places[gap].map { theirs[$0] }) {
      case (nil, nil):
        // What replaced a disputed element may be among the new ones.
        if hasDispute(in: place) { return nil }
      case (nil, let kept?), (let kept?, nil):
        if kept != base[gap] || hasDispute(in: place) { return nil }
      case (let ours?, let theirs?):
        let value = merge(
          base: base[gap], ours: ours, theirs: theirs, kind.element,
          at: pointer.appending(merged.count), from: place)
        if let value { merged.append(value) }
      }
    }
    return merged
  }

  /// Merges sets of strings; nil if that is impossible.
  private func words(
    _ base: JSONValue?, _ ours: JSONValue, _ theirs: JSONValue, _ kind: NodeKind
  ) -> JSONValue? {
    guard let old = (base ?? []).words, let left = ours.words, let right = theirs.words else {
      return nil
    }
    let merged = SetMerge.merge(base: old, ours: left, theirs: right)
    // Both sides replaced it: neither side wants a stub for the methods of both.
    if kind == .methods, merged.isDisjoint(with: old) { return nil }
    return .array(merged.sorted().map { .string($0.string) })
  }
}

extension NodeKind {
  fileprivate var isSet: Bool { self == .words || self == .methods }

  /// The names in order, each once.
  fileprivate func names(_ all: Set<ByteText>) -> [String] {
    guard ignoresCase else { return ordered(all) }
    var known: Set<String> = []
    return ordered(all).filter { known.insert($0.lowercased()).inserted }
  }

  /// The member of an object of this kind, with its name as written; nil if the object does not have it.
  fileprivate func find(
    _ name: String, in object: JSONObject
  ) -> (name: String, value: JSONValue)? {
    if let value = object[name] { return (name, value) }
    guard ignoresCase else { return nil }
    let wanted = name.lowercased()
    return object.first { $0.key.lowercased() == wanted }.map { ($0.key, $0.value) }
  }
}

extension JSONValue {
  /// An empty value of the same type, if that exists.
  fileprivate var emptied: JSONValue {
    switch self {
    case .object: [:]
    case .array: []
    default: .null
    }
  }

  /// The strings of a list, or a single string as a list; nil for other values.
  fileprivate var words: Set<ByteText>? {
    switch self {
    case .string(let word): return [ByteText(word)]
    case .array(let elements):
      var words: Set<ByteText> = []
      for element in elements {
        guard case .string(let word) = element else { return nil }
        words.insert(ByteText(word))
      }
      return words
    default: return nil
    }
  }
}
