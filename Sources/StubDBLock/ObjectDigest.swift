package import Foundation
internal import StubDBSupport

/// The name of an object: the SHA-256 of its bytes, written `sha256:` and 64 hexadecimal digits.
package struct ObjectDigest: Hashable, Comparable, Sendable, CustomStringConvertible {
  private static let prefix = "sha256:"

  /// The 64 digits, in lower case.
  package let hexadecimal: String

  /// The name of these bytes.
  package init(of data: Data) {
    hexadecimal = SHA256Digest.hexadecimal(of: data)
  }

  /// The name of a file's bytes, which are mapped into memory.
  package init(ofFile file: URL) throws(RemoteError) {
    do {
      self.init(of: try Data(contentsOf: file, options: .alwaysMapped))
    } catch {
      throw RemoteError(
        .inputOutput, "cannot read \(file.path): \(error.localizedDescription)")
    }
  }

  /// Parses the written form; nil for anything else, such as digits in upper case.
  package init?(parsing text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    self.init(hexadecimal: String(text.dropFirst(Self.prefix.count)))
  }

  /// Parses 64 hexadecimal digits in lower case.
  package init?(hexadecimal: String) {
    guard hexadecimal.utf8.count == 64,
      hexadecimal.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.hexadecimal = hexadecimal
  }

  package var description: String { Self.prefix + hexadecimal }

  /// The first ten digits, for people.
  package var short: String { String(hexadecimal.prefix(10)) }

  package static func < (left: ObjectDigest, right: ObjectDigest) -> Bool {
    left.hexadecimal < right.hexadecimal
  }
}
