package import StubDBJSON

/// Compares the shape of what is stored with the shape of what a server sends.
package struct ShapeComparison {
  let rules: ShapeRules
  /// What differs, in the order of names.
  package private(set) var differences: [ShapeDifference] = []
  /// The places that could not be compared.
  package private(set) var inconclusive: [InconclusiveShape] = []

  package init(rules: ShapeRules = ShapeRules()) {
    self.rules = rules
  }

  /// An object with more new members than this is a map of some kind, whose names are data.
  private static let maximumNewNames = 50
  /// A name with more bytes is data.
  private static let longestNewName = 100

  /// Compares the shapes at a place.
  ///
  /// `known` is the shape of all that the catalog has at this place; the constants of an enumeration come from it.
  package mutating func compare(
    _ stored: Shape, _ live: Shape, known: Shape? = nil, at pointer: JSONPointer = JSONPointer()
  ) {
    compareTypes(stored, live, at: pointer)
    if live.isRepeated, !stored.isRepeated {
      add(.type, .error, at: pointer, "one element", "several elements")
    }
    let common = stored.types.intersection(live.types)
    if common.contains(.string) {
      compareTexts(stored.texts, live.texts, known: known?.texts, at: pointer)
    }
    if common.contains(.array) { compareElements(stored, live, known: known, at: pointer) }
    if common.contains(.object) { compareMembers(stored, live, known: known, at: pointer) }
  }

  mutating func add(
    _ id: ShapeDifference.ID, _ level: ShapeDifference.Level, at pointer: JSONPointer,
    _ stored: String, _ live: String, value: String? = nil
  ) {
    differences.append(
      ShapeDifference(
        id: id, level: level, pointer: pointer, stored: stored, live: live, liveValue: value))
  }

  private mutating func compareTypes(_ stored: Shape, _ live: Shape, at pointer: JSONPointer) {
    let storedTypes = stored.types.subtracting(.null)
    let liveTypes = live.types.subtracting(.null)
    // An empty element of XML has no type.
    if live.types.contains(.null), !stored.types.contains(.null), !stored.types.isEmpty {
      add(
        .null, rules.isStrict ? .error : .warning, at: pointer, "\(stored), never null", "\(live)")
    }
    guard !liveTypes.isEmpty else { return }
    guard !storedTypes.isEmpty else {
      if stored.types.contains(.null) {
        inconclusive.append(
          InconclusiveShape(pointer: pointer, reason: "the stub has only null here"))
      }
      return
    }
    // A client that reads numbers with a fraction reads those without.
    let readable = storedTypes.contains(.number) ? storedTypes.union(.integer) : storedTypes
    let gainsFraction = liveTypes.contains(.number) && !readable.contains(.number)
    if readable.isDisjoint(with: liveTypes) || gainsFraction && readable.contains(.integer) {
      add(.type, .error, at: pointer, "\(storedTypes)", "\(liveTypes)")
    } else if !readable.isSuperset(of: liveTypes) {
      add(.type, .warning, at: pointer, "\(storedTypes)", "\(liveTypes)")
    }
  }

  private mutating func compareElements(
    _ stored: Shape, _ live: Shape, known: Shape?, at pointer: JSONPointer
  ) {
    let place = pointer.appending("*")
    switch (stored.element, live.element) {
    case (let storedElement?, let liveElement?):
      compare(storedElement, liveElement, known: known?.element, at: place)
    case (_?, nil):
      inconclusive.append(
        InconclusiveShape(pointer: place, reason: "the live array is empty"))
    case (nil, _?):
      inconclusive.append(
        InconclusiveShape(pointer: place, reason: "the array of the stub is empty"))
    case (nil, nil): break
    }
  }
}

// MARK: - Objects

extension ShapeComparison {
  private mutating func compareMembers(
    _ stored: Shape, _ live: Shape, known: Shape?, at pointer: JSONPointer
  ) {
    if Shape.areIDs(stored.members.keys), Shape.areIDs(live.members.keys) {
      compare(
        stored.memberValues, live.memberValues, known: known?.memberValues,
        at: pointer.appending("*"))
      return
    }
    let level: ShapeDifference.Level =
      rules.isClosed && stored.members.keys.allSatisfy(stored.always) ? .error : .note
    let newCount = live.members.keys.count { stored.members[$0] == nil }
    let areNewNamesShown = newCount <= Self.maximumNewNames
    if !areNewNamesShown {
      add(.added, level, at: pointer.appending("*"), "missing", "\(newCount) members")
    }
    let names = Set(stored.members.keys).union(live.members.keys)
    for name in names.sorted() {
      let place = pointer.appending(name)
      switch (stored.members[name], live.members[name]) {
      case (let member?, let liveMember?):
        if stored.always(name), !live.always(name) {
          add(
            .optional, .warning, at: place, "always there",
            "in \(liveMember.count) of \(live.objectCount)")
        }
        compare(member.shape, liveMember.shape, known: known?.members[name]?.shape, at: place)
      case (let member?, nil):
        if stored.always(name) {
          add(.missing, .error, at: place, "\(member.shape)", "missing")
        }
      case (nil, let liveMember?) where areNewNamesShown:
        let shown = Self.isData(name) ? pointer.appending("*") : place
        add(.added, level, at: shown, "missing", "\(liveMember.shape)")
      case (nil, _): break
      }
    }
  }

  /// Whether the name of a member may be user data.
  private static func isData(_ name: String) -> Bool {
    IdentifierText.isOne(name) || name.utf8.count > longestNewName
  }
}

extension Shape {
  /// Whether the names of members are ids, so that the object is a map; false without names.
  package static func areIDs(_ names: some Collection<String>) -> Bool {
    !names.isEmpty && names.allSatisfy(IdentifierText.isOne)
  }
}

// MARK: - Texts

extension ShapeComparison {
  private mutating func compareTexts(
    _ stored: TextSamples, _ live: TextSamples, known: TextSamples?, at pointer: JSONPointer
  ) {
    if let common = stored.commonClass(name: pointer.tokens.last { $0 != "*" }) {
      let others = live.classes.subtracting([common])
      guard !others.isEmpty else { return }
      let words = others.map(\.rawValue).sorted().joined(separator: " or ")
      add(.class, .warning, at: pointer, common.rawValue, words, value: live.values?.sorted().first)
      return
    }
    var all = stored
    if let known { all.merge(known) }
    guard stored.constants != nil, let constants = all.constants, let values = live.values else {
      return
    }
    let new = values.subtracting(constants.values)
    // A place with other texts beside constants is no enumeration.
    guard !new.isEmpty, new.allSatisfy(constants.style.mayBeOne) else { return }
    add(
      .enum, .warning, at: pointer,
      constants.values.sorted().map { "\"\($0)\"" }.joined(separator: " or "),
      new.count == 1 ? "a value not seen" : "\(new.count) values not seen",
      value: new.sorted().joined(separator: ", "))
  }
}

/// Texts that name one thing of many: the number or the UUID of an order, the address of a customer.
package enum IdentifierText {
  /// Whether a text is a number, a UUID, a day, an address, or a long text with many digits.
  package static func isOne(_ text: String) -> Bool {
    let bytes = text.utf8
    if !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    if TextClass(of: text) != .plain { return true }
    guard !text.contains(where: \.isWhitespace), text.looksRandom else { return false }
    return bytes.count >= 16 || bytes.count { (0x30...0x39).contains($0) } * 3 >= bytes.count
  }
}
