package import StubDBModel

/// A regular expression of literal characters, `.`, `.*` and `.+`, as it is written where a part of a text may be any.
///
/// Whether one of them accepts all that another one accepts is decidable.
struct FreeText {
  private enum Element: Hashable {
    case scalar(Unicode.Scalar)
    /// Any one character.
    case one
    /// Any number of characters.
    case many
  }

  /// How many steps a comparison takes at most.
  private static let maximumSteps = 1_000_000
  /// The longest text that is compared: no text of this length is too long for a regular expression.
  private static let maximumLength = 16_384

  /// What an expression may escape, so that it is the character itself.
  private static let escaped = Set("\\^$.|?*+()[]{}-/".unicodeScalars)
  /// What means something else where it is not escaped.
  private static let special = Set("^$|?*+()[]{}".unicodeScalars)

  private let elements: [Element]

  /// The text and no other; nil for a long one.
  init?(literal text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    elements = text.unicodeScalars.map(Element.scalar)
  }

  /// Nil for an expression with anything else in it, and for a long one.
  init?(expression: String) {
    guard expression.utf8.count <= Self.maximumLength else { return nil }
    var elements: [Element] = []
    var rest = expression.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        guard let next = rest.popFirst(), Self.escaped.contains(next) else { return nil }
        elements.append(.scalar(next))
      case ".":
        switch rest.first {
        case "*"?: elements.append(.many)
        case "+"?: elements += [.one, .many]
        default:
          elements.append(.one)
          continue
        }
        rest.removeFirst()
      case _ where Self.special.contains(scalar): return nil
      default: elements.append(.scalar(scalar))
      }
    }
    self.elements = elements
  }

  /// Whether each text that the other one accepts is accepted, too, as far as that is certain.
  func accepts(_ other: FreeText) -> Bool {
    // A line end of two characters counts as one for a dot.
    if other.elements.contains(.scalar("\r")),
      elements.contains(.one) || elements.contains(.scalar("\n"))
    {
      return false
    }
    return elements.acceptsAll(
      of: other.elements, maximumSteps: Self.maximumSteps, isMany: { $0 == .many }, fits: Self.fits)
  }

  private static func fits(_ own: Element, _ other: Element) -> Bool {
    own == .one ? other != .many : own == other && own != .many
  }
}

extension Array {
  /// Whether these elements, of which some accept any number of others, accept all that the others accept.
  ///
  /// False if that takes more steps.
  func acceptsAll(
    of others: [Element], maximumSteps: Int, isMany: (Element) -> Bool,
    fits: (Element, Element) -> Bool
  ) -> Bool {
    var (place, found) = (0, 0)
    var last: (place: Int, found: Int)?
    for _ in 0..<maximumSteps {
      guard found < others.count else { return self[place...].allSatisfy(isMany) }
      if place < count, isMany(self[place]) {
        last = (place, found)
        place += 1
      } else if place < count, fits(self[place], others[found]) {
        (place, found) = (place + 1, found + 1)
      } else if let start = last {
        // Only the last one that accepts any number has to accept more.
        last = (start.place, start.found + 1)
        (place, found) = (start.place + 1, start.found + 1)
      } else {
        return false
      }
    }
    return false
  }
}

extension ValuePattern {
  /// Whether a part of the text may be any.
  package var isFree: Bool {
    switch self.operator {
    case .matches: FreeText(expression: text) != nil
    case .hasExactly, .includes, .and: patterns.contains(where: \.isFree)
    default: false
    }
  }

  /// Whether every single value that satisfies the other pattern satisfies this one.
  func acceptsOne(_ other: ValuePattern) -> Bool {
    if self == other { return true }
    guard self.operator == .matches, let own = FreeText(expression: text) else { return false }
    switch other.operator {
    case .equalTo: return other.literal.flatMap(FreeText.init(literal:)).map(own.accepts) ?? false
    case .matches: return FreeText(expression: other.text).map(own.accepts) ?? false
    default: return false
    }
  }
}
