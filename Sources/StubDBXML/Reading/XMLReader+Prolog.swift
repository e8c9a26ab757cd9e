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
