extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, two for each.
  package var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The bytes as the text of a URL: each that is not kept is `%` and two upper-case digits.
  ///
  /// https://www.rfc-editor.org/rfc/rfc3986#section-2.1
  package func percentEncoded(keeping isKept: (UInt8) -> Bool = { $0.isUnreserved }) -> String {
    map { isKept($0) ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal.uppercased() }.joined()
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII, or one of `-._~`, which no part of a URL encodes.
  ///
  /// https://www.rfc-editor.org/rfc/rfc3986#section-2.3
  package var isUnreserved: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(self)
    }
  }
}
