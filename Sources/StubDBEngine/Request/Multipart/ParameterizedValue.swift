import Foundation

/// A header field value with parameters, such as `form-data; name="avatar"; filename="me.png"`.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6
struct ParameterizedValue {
  /// The text before the parameters.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  init(_ text: String) {
    var pieces = Self.cut(text)
    value = FieldValues.trimmed(pieces.removeFirst())
    for piece in pieces {
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let raw = FieldValues.trimmed(piece[(equals + 1)...])
      parameters.append((FieldValues.trimmed(piece[..<equals]), Self.unquoted(raw)))
    }
  }

  /// The value of a parameter; the form `name*=UTF-8''…` takes precedence.
  ///
  /// https://www.rfc-editor.org/rfc/rfc8187
  subscript(name: String) -> String? {
    if let extended = parameters.first(where: { ByteText.isSameName($0.name, name + "*") }),
      let text = Self.decoded(extended.value)
    {
      return text
    }
    return parameters.first { ByteText.isSameName($0.name, name) }?.value
  }

  /// The pieces between semicolons outside quotes; at least one.
  private static func cut(_ text: String) -> [[UInt8]] {
    var (pieces, current) = ([[UInt8]](), [UInt8]())
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append(current)
        current = []
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      current.append(byte)
    }
    return pieces + [current]
  }

  /// Removes quotes, and a backslash before a quote or a backslash; other backslashes stay, as in Windows paths.
  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    var (result, isEscaped) = ([UInt8](), false)
    for byte in text.utf8.dropFirst().dropLast() {
      if isEscaped {
        if byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          result.append(UInt8(ascii: "\\"))
        }
        result.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    // Browsers write a quote as %22. https://html.spec.whatwg.org/#multipart-form-data
    return String(decoding: result, as: UTF8.self).replacing("%22", with: "\"")
  }

  /// Decodes `UTF-8'en'na%C3%AFve`; nil for another charset.
  private static func decoded(_ text: String) -> String? {
    let pieces = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
    return pieces[2].removingPercentEncoding
  }
}
