internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Names of which no two are the same.
struct UniqueNames {
  private let limit: Int
  private var taken: Set<String> = []
  /// The number that the next name of the same text gets.
  private var numbers: [String: Int] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The name, or the first of `name-2`, `name-3`… that is free.
  mutating func unique(_ name: String) -> String {
    if taken.insert(name).inserted { return name }
    var number = numbers[name] ?? 2
    while true {
      let suffix = "-\(number)"
      let candidate = String(name.prefix(limit - suffix.utf8.count) + suffix)
      number += 1
      if taken.insert(candidate).inserted {
        numbers[name] = number
        return candidate
      }
    }
  }
}

/// Names for scenarios and keys for stubs: legal, readable, and the same whenever a file is imported.
enum StubNaming {
  /// The longest key that is derived.
  private static let maximumKeyLength = 80
  private static let maximumSummaryLength = 120

  /// A text as part of a scenario's name; nil if nothing of it is left.
  ///
  /// `Cart & Co / Größe` becomes `cart-co/groesse`… without its folders, which are parts of their own.
  static func segment(_ text: String) -> String? {
    let folded = text.decomposedStringWithCanonicalMapping
      .replacingOccurrences(of: "ß", with: "ss").lowercased()
    var segment = ""
    for scalar in folded.unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9", ".", "_": segment.unicodeScalars.append(scalar)
      // Accents of letters that were taken apart.
      case "\u{300}"..."\u{36F}": continue
      default: if segment.last != "-", !segment.isEmpty { segment += "-" }
      }
    }
    while segment.last == "-" { segment.removeLast() }
    while segment.first == "." { segment.removeFirst() }
    return segment.isEmpty ? nil : String(segment.prefix(100))
  }

  /// The words of an identifier: `list-items` of `listItems`, `http-server` of `HTTPServer`.
  static func words(_ identifier: String) -> String {
    identifier.replacing(#/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/#) { "\($0.0)-" }
  }

  /// A name of several parts, `imported` if nothing is left of them.
  static func scenario(_ parts: [String], prefix: String? = nil) -> String {
    let segments = parts.flatMap { $0.split(separator: "/") }.compactMap { segment(String($0)) }
    let name = (segments.isEmpty ? ["imported"] : segments).joined(separator: "/")
    let whole = prefix.map { "\($0)/\(name)" } ?? name
    guard whole.utf8.count > ScenarioName.maximumLength else { return whole }
    let cut = whole.prefix(ScenarioName.maximumLength)
    return String(cut).trimmingCharacters(in: CharacterSet(charactersIn: "/-"))
  }

  /// The first of `name`, `name-2`, `name-3`… that is free.
  static func unique(_ name: String, limit: Int, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = 2
    while true {
      let suffix = "-\(number)"
      let candidate = name.prefix(limit - suffix.utf8.count) + suffix
      if !isTaken(String(candidate)) { return String(candidate) }
      number += 1
    }
  }

  /// A key of a name that a person gave, or of the method and the last literal parts of the path.
  static func key(of stub: ImportedStub) -> String {
    if stub.hasExactKey { return stub.stub.key.rawValue }
    if let key = segment(stub.stub.key.rawValue) ?? stub.name.flatMap(segment) {
      return String(key.prefix(maximumKeyLength))
    }
    return key(of: stub.stub.request)
  }

  /// A key such as `post-v1-orders`.
  static func key(of request: RequestPattern) -> String {
    var words = [request.methods.count == 1 ? request.methods[0].rawValue : "any"]
    if case .template(let path) = request.path {
      let literals = path.split(separator: "/").filter {
        !URLParts.isPlaceholder($0) && $0 != "**"
          && !($0.utf8.count >= 16 && Volatility.looksRandom(String($0)))
      }
      words += literals.suffix(2).map { $0.removingPercentEncoding ?? String($0) }
    } else if case .value(let value) = request.path {
      words += literals(in: value.text).suffix(2)
    } else if let url = request.wholeURL {
      // What is before the path is the host, which is seldom what tells stubs apart.
      words += literals(in: url.text).filter { !$0.contains(".") }.suffix(2)
    }
    if let operation = request.body.first?.operation as? GraphQLPattern,
      let name = operation.operationName?.literal
    {
      words.append(name)
    }
    return String((segment(words.joined(separator: "-")) ?? "stub").prefix(maximumKeyLength))
  }

  /// The segments of a path that an expression has as they are: `users` of `/users/[0-9]+`.
  private static func literals(in expression: String) -> [String] {
    guard let slash = expression.firstIndex(of: "/") else { return [] }
    let path = expression[slash...].replacing("\\", with: "")
    return path.split(separator: "/").compactMap { segment in
      let word = segment.prefixMatch(
        of: /\^?([A-Za-z0-9][A-Za-z0-9_.-]*?)(?:\.[*+]|\$|\)|\\|\(|\?)*/)
      guard let word, word.range.upperBound == segment.endIndex else { return nil }
      return String(word.1)
    }
  }

  /// The first line of a text, as a summary; nil if there is none.
  static func summary(_ text: String) -> String? {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let clean = String(line.unicodeScalars.filter { !($0.properties.generalCategory == .control) })
      .trimmingCharacters(in: .whitespaces)
    return clean.isEmpty ? nil : String(clean.prefix(maximumSummaryLength))
  }
}
