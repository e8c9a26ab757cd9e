import Foundation
import StubDBDescriptions
import StubDBDrift
import StubDBJSON

/// Finds the changes of one JSON answer that are compatible.
///
/// Each place is changed once: of the elements of a list, the first that has the place.
struct EvolutionFinder {
  private static let maximumDepth = 64
  /// No members with longer names are looked at: what has them is data.
  private static let longestName = 200
  /// Longer elements are not written once more, nor are those with more identifiers.
  private static let longestElement = 1 << 16
  private static let maximumIdentifiers = 50

  /// A value of the answer, and what is known of its place.
  struct Place {
    var node: Int
    var pointer = JSONPointer()
    /// The pointer with `*` for each element.
    var pattern = ""
    /// The name of the member, or of the list whose element it is.
    var name: String?
    var shape: Shape?
    var described: DescribedPlace?
    var depth = 0

    func member(_ name: String, at node: Int, isData: Bool) -> Place {
      Place(
        node: node, pointer: pointer.appending(name),
        pattern: pattern + (isData ? "/*" : "/\(name)"),
        name: name, shape: isData ? nil : shape?.members[name]?.shape,
        described: described?.member(name), depth: depth + 1)
    }

    func element(_ index: Int, at node: Int) -> Place {
      Place(
        node: node, pointer: pointer.appending(index), pattern: pattern + "/*", name: name,
        shape: shape?.element, described: described?.element, depth: depth + 1)
    }
  }

  let json: LocatedJSON
  /// Where the description of the answer is.
  let origin: String?
  private let limits: EvolutionLimits
  private(set) var evolutions: [Evolution] = []
  /// The lists of which not all elements were looked at, each place once.
  private var longLists: [EvolutionCut] = []
  private var seen: Set<String> = []
  private var placeCount = 0
  /// How many changes were found, also those that are not made.
  private var changeCount = 0

  init(
    _ json: LocatedJSON, shape: Shape?, described: (content: DescribedPlace, origin: String)?,
    limits: EvolutionLimits
  ) {
    self.json = json
    self.limits = limits
    origin = described?.origin
    find(Place(node: 0, shape: shape, described: described?.content))
    if let reversed = json.reversed {
      add(.order, at: Place(node: 0), reversed, "JSON objects have no order (RFC 8259 section 4)")
    }
  }

  /// What the limits have left out.
  var cuts: [EvolutionCut] {
    var cuts = longLists
    if placeCount > limits.places { cuts.append(EvolutionCut(.places, kept: limits.places)) }
    if changeCount > limits.changes {
      cuts.append(EvolutionCut(.changes, kept: limits.changes, of: changeCount))
    }
    return cuts
  }

  private mutating func add(
    _ change: Evolution.Change, at place: Place, _ edit: TextChange, _ reason: String,
    control: TextChange? = nil
  ) {
    guard seen.insert("\(change.rawValue) \(place.pattern)").inserted else { return }
    changeCount += 1
    guard changeCount <= limits.changes else { return }
    evolutions.append(
      Evolution(change, at: place.pointer, .content(edit), because: reason, control: control))
  }

  private mutating func find(_ place: Place) {
    placeCount += 1
    guard place.depth < Self.maximumDepth, placeCount <= limits.places else { return }
    switch json.nodes[place.node].kind {
    case .object: findInObject(place)
    case .array: findInList(place)
    case .string: findConstant(place)
    case .number: findInteger(place)
    case .boolean, .null: break
    }
  }
}

// MARK: - Objects

extension EvolutionFinder {
  private mutating func findInObject(_ place: Place) {
    let children = json.nodes[place.node].children
    let isMap = isMap(place)
    addMember(place, isMap: isMap)
    let isVariant = isVariant(place)
    for (index, child) in children.enumerated() where placeCount <= limits.places {
      guard let name = child.name, name.utf8.count <= Self.longestName else { continue }
      let member = place.member(name, at: child.node, isData: isMap)
      if !isMap { findOptional(name, index, of: place, member, isVariant: isVariant) }
      find(member)
    }
  }

  /// Whether the names of members are data.
  private func isMap(_ place: Place) -> Bool {
    let names = json.nodes[place.node].children.compactMap(\.name)
    if let described = place.described {
      return described.isMap && !names.contains(where: described.describes)
    }
    return EvolutionNames.isMap(place.name) || Shape.areIDs(names)
  }

  /// Whether there are objects of several types in the place, whose members are optional only in that others have others.
  private func isVariant(_ place: Place) -> Bool {
    json.nodes[place.node].children.contains { child in
      guard json.nodes[child.node].kind == .string, let name = child.name,
        EvolutionNames.areTypes(name)
      else { return false }
      return place.shape?.members[name]?.shape.texts.values?.count != 1
    }
  }

  private mutating func addMember(_ place: Place, isMap: Bool) {
    let children = json.nodes[place.node].children
    guard isMap else {
      return add(
        .member, at: place, json.appending("\"addedLater\":{\"version\":2}", to: place.node),
        "clients ignore members that they do not know")
    }
    // An entry of a map has the type of the others.
    guard let last = children.last, json.nodes[last.node].bytes.count <= Self.longestElement else {
      return
    }
    let taken = Set(children.compactMap(\.name))
    guard let name = last.name.flatMap({ EvolutionNames.other(than: $0, unlike: taken) }) else {
      return
    }
    add(
      .entry, at: place,
      json.appending(
        JSONValue.string(name).canonicalText + ":" + json.text(of: last.node), to: place.node),
      "the names of its members are data",
      control: children.count > 1
        ? json.removing(child: children.count - 1, of: place.node) : nil)
  }

  private mutating func findOptional(
    _ name: String, _ index: Int, of place: Place, _ member: Place, isVariant: Bool
  ) {
    let removal = json.removing(child: index, of: place.node)
    let shape = isVariant ? nil : place.shape
    if shape.map({ !$0.always(name) }) ?? false {
      add(.absent, at: member, removal, "other answers of the operation do not have it")
    } else if let described = place.described, described.describes(name), !described.requires(name)
    {
      add(.absent, at: member, removal, "the description does not require it (\(origin ?? ""))")
    }
    guard json.nodes[member.node].kind != .null else { return }
    let null = json.replacing(member.node, with: "null")
    if !isVariant, member.shape?.types.contains(.null) ?? false {
      add(.null, at: member, null, "it is null in other answers of the operation")
    } else if member.described?.allowsNull ?? false {
      add(.null, at: member, null, "the description allows null (\(origin ?? ""))")
    }
  }
}

// MARK: - Lists

extension EvolutionFinder {
  private mutating func findInList(_ place: Place) {
    let children = json.nodes[place.node].children
    if let lengths = place.described?.lengths {
      let reason = "the description says no other length (\(origin ?? ""))"
      addLengths(place, lengths, reason)
    } else if place.described == nil, isOpen(children) {
      addLengths(place, 0...(.max), "lists have any length")
    }
    if children.count > limits.elements, seen.insert("elements \(place.pattern)").inserted {
      longLists.append(
        EvolutionCut(.elements, at: place.pointer, kept: limits.elements, of: children.count))
    }
    for (index, child) in children.prefix(limits.elements).enumerated()
    where placeCount <= limits.places {
      find(place.element(index, at: child.node))
    }
  }

  /// Whether a list is one of things: a few numbers may be a place or a colour.
  private func isOpen(_ children: [LocatedJSON.Child]) -> Bool {
    children.allSatisfy { [.object, .string].contains(json.nodes[$0.node].kind) }
  }

  private mutating func addLengths(
    _ place: Place, _ lengths: ClosedRange<Int>, _ reason: String
  ) {
    let children = json.nodes[place.node].children
    guard let last = children.last else { return }
    let element = place.element(children.count - 1, at: last.node)
    let added = copy(of: element, among: children).map { json.appending($0, to: place.node) }
    if lengths.contains(children.count + 1), let added {
      let control =
        children.count > 1 ? json.removing(child: children.count - 1, of: place.node) : nil
      add(.longer, at: place, added, reason, control: control)
    }
    if lengths.contains(0) {
      add(.empty, at: place, json.replacing(place.node, with: "[]"), reason)
    }
  }

  /// One more element, whose identifiers are its own; nil if none can be made.
  private func copy(of element: Place, among children: [LocatedJSON.Child]) -> String? {
    let node = element.node
    guard json.nodes[node].bytes.count <= Self.longestElement else { return nil }
    switch json.nodes[node].kind {
    case .string:
      let taken = Set(children.compactMap { json.string($0.node) })
      let constants = constants(of: element)?.known ?? []
      // An element that no client knows is another change.
      if element.described?.constants != nil, taken.isSuperset(of: constants) { return nil }
      let other =
        constants.first { !taken.contains($0) }
        ?? json.string(node).flatMap { EvolutionNames.other(than: $0, unlike: taken) }
      return other.map { JSONValue.string($0).canonicalText }
    case .object:
      let identifiers = json.nodes[node].children.filter {
        $0.name.map(EvolutionNames.isIdentifier) ?? false
      }
      guard identifiers.count <= Self.maximumIdentifiers else { return nil }
      let start = json.nodes[node].bytes.lowerBound
      var text = Data(json.text[json.nodes[node].bytes])
      // From the end, so that the places before it stay.
      for child in identifiers.reversed() {
        let taken = children.compactMap { json.member(child.name ?? "", of: $0.node) }
        guard let change = identifier(instead: child.node, taken) else { return nil }
        let bytes = change.bytes.lowerBound - start..<change.bytes.upperBound - start
        text = TextChange(bytes: bytes, replacement: change.replacement).applied(to: text)
      }
      return String(decoding: text, as: UTF8.self)
    default: return json.text(of: node)
    }
  }

  /// Another identifier than those of other elements; nil if none can be made.
  private func identifier(instead node: Int, _ taken: [Int]) -> TextChange? {
    switch json.nodes[node].kind {
    case .string:
      let texts = Set(taken.compactMap(json.string))
      return json.string(node).flatMap { EvolutionNames.other(than: $0, unlike: texts) }
        .map { json.replacing(node, with: JSONValue.string($0).canonicalText) }
    case .number:
      let largest = taken.compactMap { Int(json.text(of: $0)) }.max()
      return largest.map { json.replacing(node, with: String($0 &+ 1)) }
    default: return json.replacing(node, with: json.text(of: node))
    }
  }
}

// MARK: - Strings and numbers

extension EvolutionFinder {
  /// The constants that clients know in a place, and what says so; nil if the place has no enumeration.
  private func constants(of place: Place) -> (known: [String], reason: String)? {
    guard let described = place.described else {
      guard let constants = place.shape?.texts.constants?.values,
        json.string(place.node).map(constants.contains) ?? false,
        constants.count > 1 || EvolutionNames.areConstants(place.name)
      else { return nil }
      let known = constants.sorted()
      let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
      return (known, "the samples have \(list) there")
    }
    return described.constants.map {
      ($0, "the description has an enumeration there (\(origin ?? ""))")
    }
  }

  private mutating func findConstant(_ place: Place) {
    guard let text = json.string(place.node), let (known, reason) = constants(of: place) else {
      return
    }
    let control = known.first { $0 != text }.map {
      json.replacing(place.node, with: JSONValue.string($0).canonicalText)
    }
    let unknown = JSONValue.string(EvolutionNames.unknownConstant(beside: known)).canonicalText
    add(.unknown, at: place, json.replacing(place.node, with: unknown), reason, control: control)
  }

  private mutating func findInteger(_ place: Place) {
    guard let value = Int(json.text(of: place.node)), Int32(exactly: value) != nil else { return }
    let reason: String
    if let described = place.described {
      if let known = described.integerConstants { return findConstant(place, value, among: known) }
      guard described.allowsLargeIntegers else { return }
      reason = "the description has no upper bound (\(origin ?? ""))"
    } else {
      // Where a number is an element, nothing says what it is.
      guard Int(place.pointer.tokens.last ?? "") == nil, !EvolutionNames.isBounded(place.name),
        !EvolutionNames.areConstants(place.name),
        !(place.shape?.types.contains(.number) ?? false)
      else { return }
      reason = "integers of JSON have no size, and numbers of this name grow"
    }
    add(
      .large, at: place, json.replacing(place.node, with: String(Int64(UInt32.max) + 2)), reason,
      control: json.replacing(place.node, with: String(Int64(value) + 1)))
  }

  private mutating func findConstant(_ place: Place, _ value: Int, among known: [Int]) {
    guard let largest = known.last, largest < Int32.max else { return }
    let control = known.first { $0 != value }.map { json.replacing(place.node, with: String($0)) }
    add(
      .unknown, at: place, json.replacing(place.node, with: String(largest + 1)),
      "the description has an enumeration there (\(origin ?? ""))", control: control)
  }
}
