internal import Foundation
internal import HTTPTypes
internal import StubDBDrift
package import StubDBModel

/// Names for what was given none: legal, readable, and the same each time.
package enum DerivedName {
  /// The longest key that is derived.
  private static let maximumKeyLength = 80
  /// How many segments of a path are part of a key.
  private static let segmentCount = 2

  /// A text as a key, or as a part of a scenario's name; nil if nothing of it is left.
  ///
  /// `Cart & Co: Größe` becomes `cart-co-grosse`.
  package static func segment(_ text: String) -> String? {
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
    while segment.first == "." || segment.first == "-" { segment.removeFirst() }
    return segment.isEmpty ? nil : String(segment.prefix(100))
  }

  /// A key made of a name that a person gave; nil if nothing of it is left.
  package static func key(named name: String) -> String? {
    segment(name).map(shortened)
  }

  private static func shortened(_ key: String) -> String {
    guard key.utf8.count > maximumKeyLength else { return key }
    let start = key.prefix(maximumKeyLength)
    // Better without the last word than with a part of it.
    let end = start.lastIndex(of: "-") ?? start.endIndex
    return String(start[..<end])
  }

  /// A key such as `post-v1-orders`: the method, and the last literal segments of the path.
  package static func key(of request: RequestPattern) -> String {
    var words = [request.methods.count == 1 ? request.methods[0].rawValue : "any"]
    if case .template(let path) = request.path {
      let literals = path.split(separator: "/").filter { !URLParts.isOpen($0) }.map {
        $0.removingPercentEncoding ?? String($0)
      }
      words += literals.filter { !($0.utf8.count >= 16 && $0.looksRandom) }.suffix(segmentCount)
    } else if case .value(let value) = request.path {
      words += literals(in: value.text).suffix(segmentCount)
    } else if let url = request.wholeURL {
      // What is before the path is the host, which is seldom what distinguishes stubs.
      words += literals(in: url.text).filter { !$0.contains(".") }.suffix(segmentCount)
    }
    if let operation = request.body.first?.operation as? GraphQLPattern,
      let name = operation.operationName?.literal
    {
      words.append(name)
    }
    return segment(words.joined(separator: "-")).map(shortened) ?? "stub"
  }

  /// The segments of a path that an expression has as they are: `users` of `/users/[0-9]+`.
  private static func literals(in expression: String) -> [String] {
    guard let slash = expression.firstIndex(of: "/") else { return [] }
    let path = expression[slash...].replacing("\\", with: "")
    return path.split(separator: "/").compactMap { segment in
      let word = segment.wholeMatch(
        of: /\^?([A-Za-z0-9][A-Za-z0-9_.-]*?)(?:\.[*+]|\$|\)|\\|\(|\?)*/)
      return word.map { String($0.1) }
    }
  }
}

/// Names of which no two are the same.
package struct UniqueNames {
  private let limit: Int
  private var taken: Set<String>
  /// The number that the next name of the same text gets.
  private var numbers: [String: Int] = [:]

  /// Makes names of at most so many bytes, other than those that are `taken`.
  package init(limit: Int, taken: Set<String> = []) {
    self.limit = limit
    self.taken = taken
  }

  /// The name, or the first of `name-2`, `name-3`… that is free.
  package mutating func unique(_ name: String) -> String {
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
