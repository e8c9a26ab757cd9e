internal import Foundation

/// Contents of messages as recorders write them: texts, base64, hexadecimal digits.
enum RecordedContent {
  /// The content that a value holds, in base64 if `encoding` says so.
  ///
  /// A list or an object is no content, which the report says.
  static func body(
    _ value: SourceValue, encoding: SourceValue? = nil, isRequest: Bool = false
  ) -> RecordedBody {
    guard value.isScalar else {
      value.drop(
        isRequest ? .noRequestBody : .noBody,
        "The content is \(value.typeName) where a text belongs; it was left out")
      return .missing(byteCount: nil)
    }
    if value.isNull {
      value.ignore()
      return .none
    }
    switch encoding?.text?.lowercased() {
    case "base64": return base64(value)
    case "hex": return hexadecimal(value)
    default: return text(value)
    }
  }

  /// A text, without a copy of it where it is long.
  static func text(_ value: SourceValue) -> RecordedBody {
    if let source = SourceText(value) { return .source(source) }
    let text = value.text ?? ""
    return text.isEmpty ? .none : .text(text)
  }

  /// Base64 with line breaks; other texts as they are, which the report says.
  static func base64(_ value: SourceValue) -> RecordedBody {
    guard let data = value.withUTF8(Base64Text.decoded) else {
      return notDecoded(value, "base64")
    }
    value.keep()
    return data.isEmpty ? .none : .bytes(data)
  }

  /// Hexadecimal digits; other texts as they are, which the report says.
  static func hexadecimal(_ value: SourceValue) -> RecordedBody {
    guard let data = value.peekedText.flatMap(CassetteParts.hexadecimal) else {
      return notDecoded(value, "hexadecimal")
    }
    value.keep()
    return data.isEmpty ? .none : .bytes(data)
  }

  private static func notDecoded(_ value: SourceValue, _ coding: String) -> RecordedBody {
    let body = body(value)
    guard value.isScalar, !value.isNull else { return body }
    value.change(.damaged, "Marked as \(coding) and is not; kept as the text that it is")
    return body
  }
}

/// Base64 as recorders write it: with line breaks, of both alphabets, with or without padding.
enum Base64Text {
  /// The bytes; nil for a text with any other character.
  static func decoded(_ text: String) -> Data? {
    var text = text
    return text.withUTF8 { decoded(UnsafeRawBufferPointer($0)) }
  }

  /// The bytes; nil for a text with any other character.
  ///
  /// Foundation either refuses line breaks or skips every character that does not belong there.
  static func decoded(_ text: UnsafeRawBufferPointer) -> Data? {
    var bits: UInt32 = 0
    var count = 0
    var isEnded = false
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 4 * 3 + 3)
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="):
        isEnded = true
        continue
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return nil
      }
      if isEnded { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 == 0 {
        octets.append(UInt8(truncatingIfNeeded: bits >> 16))
        octets.append(UInt8(truncatingIfNeeded: bits >> 8))
        octets.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    switch count % 4 {
    case 1: return nil
    case 2: octets.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      octets.append(UInt8(truncatingIfNeeded: bits >> 10))
      octets.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: break
    }
    return Data(octets)
  }
}
