/// Names and the namespaces of their prefixes.
extension XMLReader {
  static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  private static let xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

  /// A name of an element, an attribute or an instruction, colons included.
  ///
  /// https://www.w3.org/TR/xml/#NT-Name
  mutating func name() throws(XMLSyntaxError) -> String {
    let start = place
    var isASCII = true
    while place < bytes.count, Self.mayBeInName(bytes[place]) {
      isASCII = isASCII && bytes[place] < 0x80
      place += 1
    }
    let name = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let first = name.unicodeScalars.first, Self.isNameStart(first) else {
      throw failure("expected a name", at: start)
    }
    if !isASCII, let odd = name.unicodeScalars.first(where: { !Self.isInName($0) }) {
      throw failure("U+\(Self.hexadecimal(odd)) is not allowed in a name", at: start)
    }
    return name
  }

  /// Reads the name of an element or an attribute, and looks up its prefix.
  ///
  /// https://www.w3.org/TR/xml-names/#ns-qualnames
  func resolved(
    _ written: String, _ scope: [String: String], isAttribute: Bool
  ) throws(XMLSyntaxError) -> XMLName {
    let pieces = written.split(separator: ":", omittingEmptySubsequences: false)
    guard pieces.count <= 2, pieces.allSatisfy(Self.isNameWithoutColon) else {
      throw failure("\(written) is not a name")
    }
    guard pieces.count == 2 else {
      return XMLName(
        prefix: "", local: written, namespace: isAttribute ? "" : scope["", default: ""])
    }
    guard let namespace = scope[String(pieces[0])], !namespace.isEmpty else {
      throw failure("the prefix \(pieces[0]) is not declared; add xmlns:\(pieces[0])=\"…\"")
    }
    return XMLName(prefix: String(pieces[0]), local: String(pieces[1]), namespace: namespace)
  }

  /// Adds a declaration of a namespace to the scope, and ignores other attributes.
  ///
  /// https://www.w3.org/TR/xml-names/#ns-decl
  func declare(
    _ attribute: String, _ namespace: String, in scope: inout [String: String]
  ) throws(XMLSyntaxError) {
    let prefix: String
    if attribute == "xmlns" {
      prefix = ""
    } else if attribute.hasPrefix("xmlns:") {
      prefix = String(attribute.dropFirst(6))
      guard Self.isNameWithoutColon(prefix[...]) else {
        throw failure("\(attribute) is not a name")
      }
      guard !namespace.isEmpty else { throw failure("the prefix \(prefix) has an empty namespace") }
    } else {
      return
    }
    guard prefix != "xmlns", namespace != Self.xmlnsNamespace,
      (prefix == "xml") == (namespace == Self.xmlNamespace)
    else { throw failure("the prefixes xml and xmlns and their namespaces are reserved") }
    scope[prefix] = namespace
  }

  private static func isNameWithoutColon(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return isNameStart(first) && !text.utf8.contains(UInt8(ascii: ":"))
  }

  private static func mayBeInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  /// Whether a name may begin with the character: https://www.w3.org/TR/xml/#NT-NameStartChar.
  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x3A: true
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether a name may contain the character: https://www.w3.org/TR/xml/#NT-NameChar.
  private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: isNameStart(scalar)
    }
  }

  static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The part of a document before its root element.
extension XMLReader {
  /// Reads the XML declaration, if there is one; it must not name another encoding than UTF-8.
  ///
  /// https://www.w3.org/TR/xml/#NT-XMLDecl
  mutating func skipDeclaration() throws(XMLSyntaxError) {
    guard bytes[place...].starts(with: "<?xml".utf8), place + 5 < bytes.count,
      Self.isSpace(bytes[place + 5])
    else { return }
    place += 5
    guard let version = try pseudoAttribute("version") else {
      throw failure("the XML declaration has no version; write <?xml version=\"1.0\"?>")
    }
    guard version.hasPrefix("1."), version.utf8.count > 2,
      version.utf8.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) })
    else { throw failure("\(version) is not a version of XML") }
    if let encoding = try pseudoAttribute("encoding") {
      guard ["utf-8", "us-ascii", "ascii"].contains(encoding.lowercased()) else {
        throw failure("the encoding \(encoding) is not supported; use UTF-8")
      }
    }
    if let standalone = try pseudoAttribute("standalone") {
      guard standalone == "yes" || standalone == "no" else {
        throw failure("standalone is yes or no, not \(standalone)")
      }
    }
    skipSpace()
    guard take("?>") else {
      throw failure("the XML declaration takes version, encoding and standalone, in this order")
    }
  }

  /// Reads the value of a part of the declaration; nil if the next part has another name.
  private mutating func pseudoAttribute(
    _ name: StaticString
  ) throws(XMLSyntaxError) -> String? {
    let start = place
    guard skipSpace(), take(name) else {
      place = start
      return nil
    }
    skipSpace()
    guard take("=") else { throw failure("expected '=' after \(name)") }
    skipSpace()
    guard place < bytes.count,
      bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
    else { throw failure("expected a value in quotes") }
    let quote = bytes[place]
    let end = bytes[(place + 1)...].firstIndex { $0 == quote || $0 == UInt8(ascii: "<") }
    guard let end, bytes[end] == quote else { throw failure("a value is not closed") }
    defer { place = end + 1 }
    return String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
  }

  /// Skips a document type without declarations of its own; what it refers to is never fetched.
  mutating func skipDocumentType() throws(XMLSyntaxError) {
    guard skipSpace() else { throw failure("expected a space after <!DOCTYPE") }
    _ = try name()
    var quote: UInt8?
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw failure("a document type with declarations is not allowed", at: place - 1)
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
    throw failure("the document type is not closed")
  }
}
