package import Foundation

/// Digests in the form that other modules need.
package enum SHA256 {
  /// The SHA-256 of bytes as 64 hexadecimal digits.
  package static func hexadecimal(of data: Data) -> String {
    SHA256Digest.digest(of: data).reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }
}
