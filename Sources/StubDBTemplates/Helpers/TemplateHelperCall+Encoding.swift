import Foundation

extension TemplateHelperCall {
  /// The functions that write texts in another form, and read them; nil for others.
  func encoding() throws(Failure) -> TemplateValue? {
    switch name {
    case "base64": return .text(try base64())
    case "urlEncode": return .text(flag("decode") ? try urlDecoded() : urlEncoded())
    case "json": return .text(arguments[0].jsonText)
    default: return nil
    }
  }

  private func base64() throws(Failure) -> String {
    guard flag("decode") else { return Data(text(0).utf8).base64EncodedString() }
    guard let data = Data(base64Encoded: text(0)), let text = String(data: data, encoding: .utf8)
    else { throw Failure(message: "\(shown(arguments[0])) is not the base64 form of a text") }
    return text
  }

  /// As forms are encoded: letters, digits and `.-*_` stay, a space is `+`.
  private func urlEncoded() -> String {
    var bytes: [UInt8] = []
    for byte in text(0).utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: bytes.append(byte)
      case 0x20: bytes.append(UInt8(ascii: "+"))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        bytes += Array("%\(hex.count == 1 ? "0" : "")\(hex)".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func urlDecoded() throws(Failure) -> String {
    let text = text(0).replacingOccurrences(of: "+", with: " ")
    guard let decoded = text.removingPercentEncoding else {
      throw Failure(message: "\(shown(arguments[0])) is not the URL-encoded form of a text")
    }
    return decoded
  }
}
