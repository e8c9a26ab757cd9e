internal import StubDBModel

/// The kind of text that a string has.
package enum TextClass: String, Hashable, Sendable, CaseIterable {
  /// An RFC 3339 date-time.
  case dateTime = "date-time"
  /// A day such as `2026-11-21`.
  case date
  case uuid
  /// An absolute URL of http or https.
  case url
  case email
  /// Only digits.
  case integerText = "integer-text"
  /// Any other text.
  case plain = "text"

  /// The class of a text.
  package init(of text: String) {
    let bytes = text.utf8
    switch bytes.count {
    case 0: self = .plain
    case ...19 where bytes.allSatisfy({ (0x30...0x39).contains($0) }): self = .integerText
    case 10 where Stub.Recording(at: text) != nil: self = .date
    case 17...40 where Stub.Recording(at: text) != nil: self = .dateTime
    case 36 where Self.isUUID(text): self = .uuid
    default:
      self = Self.isURL(text) ? .url : Self.isEmail(text) ? .email : .plain
    }
  }

  /// Whether a text is a UUID. https://www.rfc-editor.org/rfc/rfc9562#section-4
  private static func isUUID(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
  }

  private static func isURL(_ text: String) -> Bool {
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return false }
    return URLParts(text)?.host?.isEmpty == false && !text.contains(where: \.isWhitespace)
  }

  private static func isEmail(_ text: String) -> Bool {
    text.utf8.count <= 254 && text.utf8.contains(UInt8(ascii: "@"))
      && text.wholeMatch(of: /[A-Za-z0-9.!#$%&'*+\/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+/)
        != nil
  }

  /// Whether a member of this name is likely to have texts of the class.
  func isLikely(for name: String) -> Bool {
    let name = name.lowercased()
    func ends(_ words: String...) -> Bool { words.contains { name.hasSuffix($0) } }
    switch self {
    case .dateTime: return ends("at", "time", "timestamp", "date", "on", "until", "since")
    case .date: return ends("at", "date", "day", "on", "until", "since")
    case .uuid: return ends("id", "uuid", "guid", "key", "token")
    case .url: return ends("url", "uri", "href", "link", "image", "avatar")
    case .email: return ends("mail", "email", "contact")
    case .integerText: return ends("id", "number", "count", "code", "amount", "cents")
    case .plain: return false
    }
  }
}

/// The strings at one place: how many, of which classes, and which, as long as they are few.
package struct TextSamples: Hashable, Sendable {
  /// A place with more different values than this holds no constants.
  static let maximumValueCount = 8

  /// How many strings there were.
  package private(set) var count = 0
  /// The classes of the strings.
  package private(set) var classes: Set<TextClass> = []
  /// The different strings; nil if there are more than ``maximumValueCount``, or a long one.
  package private(set) var values: Set<String>? = []

  /// Makes samples without a string.
  package init() {}

  mutating func add(_ text: String) {
    count += 1
    classes.insert(TextClass(of: text))
    // Almost all places of large contents have too many values, or long ones.
    if values != nil { note([text]) }
  }

  mutating func merge(_ other: TextSamples) {
    count += other.count
    classes.formUnion(other.classes)
    if let others = other.values { note(others) } else { values = nil }
  }

  private mutating func note(_ texts: Set<String>) {
    guard texts.allSatisfy({ $0.utf8.count <= Constant.maximumLength }) else {
      values = nil
      return
    }
    values?.formUnion(texts)
    if let all = values, all.count > Self.maximumValueCount { values = nil }
  }

  /// The class that all strings have; nil if they differ, or if there is only one and its name says nothing.
  package func commonClass(name: String?) -> TextClass? {
    guard classes.count == 1, let common = classes.first, common != .plain else { return nil }
    return count > 1 || name.map(common.isLikely) ?? false ? common : nil
  }

  /// The strings as enumeration constants; nil if any of them is not one.
  package var constants: (values: Set<String>, style: Constant)? {
    guard let values, !values.isEmpty,
      let style = Constant.allCases.first(where: { values.allSatisfy($0.isOne) })
    else { return nil }
    return (values, style)
  }
}

/// How the constants of an enumeration are written.
package enum Constant: Hashable, Sendable, CaseIterable {
  /// `PAID`, `CARD_DECLINED`.
  case upper
  /// `paid`.
  case lower

  static let maximumLength = 40

  /// Whether a text is surely a constant.
  func isOne(_ text: String) -> Bool {
    switch self {
    case .upper: text.wholeMatch(of: /[A-Z_]{2,}/) != nil
    case .lower: text.wholeMatch(of: /[a-z]{1,12}/) != nil
    }
  }

  /// Whether a text may be a further constant beside such ones.
  func mayBeOne(_ text: String) -> Bool {
    switch self {
    case .upper: text.wholeMatch(of: /[A-Z][A-Z0-9_]{1,39}/) != nil
    case .lower: text.wholeMatch(of: /[a-z][a-z0-9_-]{0,39}/) != nil
    }
  }
}

extension StringProtocol {
  /// Whether a value is a time, a number with many digits, or a random text.
  package var looksRandom: Bool {
    let octets = utf8
    guard octets.count >= 8 else { return false }
    let digits = octets.count(where: \.isASCIIDigit)
    // Words and their combinations have few digits; times, UUIDs and base64 have many, or both cases mixed.
    if digits * 5 >= octets.count { return true }
    return octets.count >= 16 && digits > 0 && octets.contains(where: \.isASCIIUppercase)
      && octets.contains { $0.isASCIILetter && !$0.isASCIIUppercase }
  }
}
