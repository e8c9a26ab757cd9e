internal import Foundation

/// Base64 in both alphabets, with and without padding. https://www.rfc-editor.org/rfc/rfc4648
enum Base64 {
  /// The bytes; nil where the text is no base64.
  static func decoded(_ text: some Sequence<UInt8>) -> Data? {
    var plain: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      case UInt8(ascii: "="): continue
      default: plain.append(byte)
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(plain))
  }
}
