internal import Foundation

/// The character encoding that a Content-Type names.
struct Charset {
  /// The name as written.
  let name: String
  private let encoding: String.Encoding?

  /// Nil for a type without a charset.
  init?(contentType: String) {
    guard let parameter = contentType.range(of: "charset=", options: .caseInsensitive) else {
      return nil
    }
    let text = contentType[parameter.upperBound...].prefix { $0 != ";" && $0 != "," }
    name = text.trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
    encoding =
      switch name.lowercased() {
      case "utf-8", "utf8", "us-ascii", "ascii": .utf8
      case "iso-8859-1", "latin1", "latin-1", "iso8859-1": .isoLatin1
      case "windows-1252", "cp1252": .windowsCP1252
      case "iso-8859-2": .isoLatin2
      case "windows-1250": .windowsCP1250
      case "windows-1251": .windowsCP1251
      case "utf-16": .utf16
      case "utf-16le": .utf16LittleEndian
      case "utf-16be": .utf16BigEndian
      case "shift_jis", "shift-jis", "sjis": .shiftJIS
      case "euc-jp": .japaneseEUC
      default: nil
      }
  }

  var isUTF8: Bool { encoding == .utf8 }

  /// The bytes as text; nil if the encoding is not known, or the bytes are not in it.
  func decode(_ data: Data) -> String? {
    encoding.flatMap { String(data: data, encoding: $0) }
  }

  /// The type with UTF-8 in place of this encoding.
  func replaced(in contentType: String) -> String {
    contentType.replacingOccurrences(of: name, with: "utf-8")
  }
}
