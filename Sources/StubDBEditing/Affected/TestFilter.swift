internal import Foundation
internal import StubDBVariations

/// The names of tests as the usage ledger, `swift test list` and `swift test --filter` have them.
package enum TestFilter {
  /// A regular expression for `swift test --filter` that selects these tests and no others.
  ///
  /// Swift Testing is asked for `Module.Suite/function()`, followed by the place in the source, and XCTest for
  /// `Module.Class/method`. The cases of a parameterized test are one test. It is one word on a line; without tests it
  /// matches none.
  package static func expression(_ tests: [String]) -> String {
    let own = tests.filter(isSwiftTesting).map { TestPattern.escaped(listed($0)) }.sorted()
    let old = tests.filter { !isSwiftTesting($0) }.map { TestPattern.escaped(listed($0)) }.sorted()
    let parts = [
      own.isEmpty ? nil : "^(\(own.joined(separator: "|")))(/|$)",
      // The ledger has no module for these.
      old.isEmpty ? nil : "(^|\\.)(\(old.joined(separator: "|")))$",
    ].compactMap { $0 }
    return parts.isEmpty ? "^$" : parts.joined(separator: "|")
  }

  /// The tests of a list, as `swift test list` writes it, that the ledger does not know, as the ledger would name them.
  package static func unknown(in list: String, to known: some Sequence<String>) -> [String] {
    let known = Set(known)
    return names(in: list).filter { !known.contains($0) }
  }

  /// The names in a list, as the ledger has them; other lines, such as those of a build, are left out.
  package static func names(in list: String) -> [String] {
    list.split(whereSeparator: \.isNewline).compactMap { (line: Substring) -> String? in
      let parts = line.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2 || line.hasSuffix(")"), let dot = line.firstIndex(of: "."),
        !line[..<dot].contains(where: { $0.isWhitespace || $0 == "/" })
      else { return nil }
      let name = String(line[line.index(after: dot)...])
      if isSwiftTesting(String(line)) { return "\(line[..<dot])/\(name)" }
      let end = name.firstIndex(of: "/") ?? name.endIndex
      return String(name[..<end]).replacing(".", with: "/") + String(name[end...])
    }
  }

  /// Whether a test is one of Swift Testing, whose names have parentheses.
  private static func isSwiftTesting(_ name: String) -> Bool { name.hasSuffix(")") }

  /// The name in a list of tests; that of XCTest without its module.
  private static func listed(_ name: String) -> String {
    var parts = name.components(separatedBy: "/")
    if isSwiftTesting(name) {
      let module = parts.removeFirst()
      return module + "." + parts.joined(separator: "/")
    }
    let method = parts.removeLast()
    return parts.joined(separator: ".") + "/" + method
  }
}
