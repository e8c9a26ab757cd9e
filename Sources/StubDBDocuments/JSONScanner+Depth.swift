package import Foundation
package import StubDBJSON

extension JSONScanner {
  /// Whether arrays and objects nest deeper than this, as far as the text is JSON.
  package static func nests(_ text: Data, deeperThan limit: Int) -> Bool {
    text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      while (try? scanner.next()) != nil {
        if scanner.depth > limit { return true }
      }
      return false
    }
  }
}
