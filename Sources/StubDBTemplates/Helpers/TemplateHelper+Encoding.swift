import Foundation
import StubDBSupport

extension TemplateHelper {
  /// The functions that encode and decode values.
  static let encodings: [TemplateHelper] = [
    TemplateHelper("base64", 1...1, options: ["decode", "padding"], block: .first) {
      (call, _) throws(Failure) in
      .text(try call.base64())
    },
    TemplateHelper("urlEncode", 1...1, options: ["decode"], block: .first) {
      (call, _) throws(Failure) in
      .text(call.flag("decode") ? try call.urlDecoded(call.text(0)) : call.urlEncoded())
    },
    TemplateHelper("json", 1...1) { (call, _) throws(Failure) in .text(call.arguments[0].jsonText)
    },
    TemplateHelper("toJson", 1...1) { (call, _) throws(Failure) in .text(call.arguments[0].jsonText)
    },
    TemplateHelper("formatJson", 1...1, options: ["format"], trial: .never, block: .first) {
      (call, environment) throws(Failure) in
      .text(try call.formattedJSON(environment))
    },
    TemplateHelper("formatXml", 1...1, options: ["format"], block: .first) {
      (call, _) throws(Failure) in
      .text(try call.formattedXML())
    },
    TemplateHelper(
      "parseJson", 1...2, trial: .never, block: .first, assigns: .argument(1)
    ) { (call, environment) throws(Failure) in
      try call.json(0, environment)
    },
    TemplateHelper("formData", 1...2, options: ["urlDecode"], assigns: .argument(1)) {
      (call, _) throws(Failure) in
      .object(try call.formFields())
    },
    TemplateHelper("val", 1...1, options: ["or", "assign"], assigns: .option("assign")) {
      (call, _) throws(Failure) in
      call.arguments[0] == .null ? call.options["or"] ?? .null : call.arguments[0]
    },
    TemplateHelper("assign", 2...2, block: .last, assigns: .argument(0)) {
      (call, _) throws(Failure) in
      call.arguments[1]
    },
  ]
}

extension TemplateHelperCall {
  /// The argument as a value; a text is parsed as JSON.
  func json(
    _ index: Int, _ environment: any TemplateEnvironment
  ) throws(Failure) -> TemplateValue {
    guard case .text(let text) = arguments[index] else { return arguments[index] }
    if let value = environment.parseJSON(text) { return value }
    throw Failure(message: "\(shown(arguments[index])) is not JSON")
  }

  fileprivate func formattedJSON(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> String {
    let value = try json(0, environment)
    switch options["format"]?.plainText ?? "pretty" {
    case "pretty":
      let text = value.prettyJSONText(atMost: room)
      try checkRoom(text.utf8.count)
      return text
    case "compact": return value.jsonText
    case let other: throw Failure(message: "format=\"\(other)\" is not \"pretty\" or \"compact\"")
    }
  }

  fileprivate func base64() throws(Failure) -> String {
    guard flag("decode") else {
      let text = Data(text(0).utf8).base64EncodedString()
      return flag("padding", default: true) ? text : String(text.prefix { $0 != "=" })
    }
    let digits = text(0).replacing("=", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: digits + padding),
      let text = String(data: data, encoding: .utf8)
    else { throw Failure(message: "\(shown(arguments[0])) is not the base64 form of a text") }
    return text
  }

  /// Percent-encodes as forms do: letters, digits and `.-*_` stay, a space becomes `+`.
  fileprivate func urlEncoded() -> String {
    text(0).utf8.percentEncoded { byte in
      byte == UInt8(ascii: "*") || byte.isUnreserved && byte != UInt8(ascii: "~")
    }.replacing("%20", with: "+")
  }

  fileprivate func urlDecoded(_ text: String) throws(Failure) -> String {
    guard let decoded = text.replacing("+", with: " ").removingPercentEncoding else {
      throw Failure(message: "\(shown(.text(text))) is not the URL-encoded form of a text")
    }
    return decoded
  }

  /// The fields of a form; a field that occurs several times becomes a list.
  fileprivate func formFields() throws(Failure) -> [String: TemplateValue] {
    var values: [String: [TemplateValue]] = [:]
    let isDecoded = flag("urlDecode")
    for pair in text(0).split(separator: "&") {
      let pieces = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pieces.count > 1 ? String(pieces[1]) : ""
      let name = isDecoded ? try urlDecoded(String(pieces[0])) : String(pieces[0])
      values[name, default: []].append(.text(isDecoded ? try urlDecoded(value) : value))
    }
    return values.mapValues { $0.count == 1 ? $0[0] : .list($0) }
  }
}

/// A part of an XML document, as it is written there.
private indirect enum XMLPart {
  /// Characters, or a CDATA section.
  case text(String)
  /// An empty tag, a comment, a declaration.
  case markup(String)
  case element(start: String, content: [XMLPart], end: String)

  var isBlank: Bool {
    guard case .text(let text) = self else { return false }
    return text.allSatisfy(\.isWhitespace)
  }

  var isText: Bool { if case .text = self { !isBlank } else { false } }
}

extension TemplateHelperCall {
  fileprivate func formattedXML() throws(Failure) -> String {
    let parts = try xmlParts()
    var output = ""
    switch options["format"]?.plainText ?? "pretty" {
    case "pretty": try write(parts, indentedBy: 0, to: &output)
    case "compact": try write(parts, indentedBy: nil, to: &output)
    case let other: throw Failure(message: "format=\"\(other)\" is not \"pretty\" or \"compact\"")
    }
    if output.last == "\n" { output.removeLast() }
    return output
  }

  /// The document cut into its parts; checks that the tags pair up, and no more.
  private func xmlParts() throws(Failure) -> [XMLPart] {
    let notXML = Failure(message: "\(shown(arguments[0])) is not XML")
    var open: [(start: String, name: Substring, before: [XMLPart])] = []
    var parts: [XMLPart] = []
    var rest = text(0)[...]
    while !rest.isEmpty {
      guard let end = Self.endOfPart(rest) else { throw notXML }
      let part = rest[..<end]
      rest = rest[end...]
      if part.first != "<" || part.hasPrefix("<![CDATA[") {
        parts.append(.text(String(part)))
      } else if part.hasPrefix("</") {
        let name = part.dropFirst(2).prefix { $0 != ">" && !$0.isWhitespace }
        guard let element = open.popLast(), element.name == name else { throw notXML }
        let content = parts
        parts = element.before
        parts.append(.element(start: element.start, content: content, end: String(part)))
      } else if part.hasPrefix("<!") || part.hasPrefix("<?") || part.hasSuffix("/>") {
        parts.append(.markup(String(part)))
      } else {
        let name = part.dropFirst().prefix { $0 != ">" && !$0.isWhitespace }
        guard !name.isEmpty else { throw notXML }
        if open.count == 100 { throw Failure(message: "more than 100 elements are nested") }
        open.append((String(part), name, parts))
        parts = []
      }
    }
    guard open.isEmpty, !parts.isEmpty, !parts.contains(where: \.isText) else { throw notXML }
    return parts
  }

  /// The end of the text or the markup at the beginning; nil if the markup is not closed.
  private static func endOfPart(_ rest: Substring) -> String.Index? {
    guard rest.first == "<" else { return rest.firstIndex(of: "<") ?? rest.endIndex }
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    where rest.hasPrefix(start) {
      return rest.range(of: end)?.upperBound
    }
    var quote: Character?
    for index in rest.indices {
      let character = rest[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == ">" {
        return rest.index(after: index)
      }
    }
    return nil
  }

  /// Writes each part on a line of its own, or all on one without an indentation.
  ///
  /// Space between elements is left out; beside text it belongs to the text.
  private func write(
    _ parts: [XMLPart], indentedBy indentation: Int?, to output: inout String
  ) throws(Failure) {
    for part in parts where !part.isBlank {
      output += String(repeating: " ", count: indentation ?? 0)
      switch part {
      case .text(let text), .markup(let text): output += text
      case .element(let start, let content, let end):
        output += start
        if content.contains(where: \.isText) {
          Self.copy(content, to: &output)
        } else if !content.allSatisfy(\.isBlank) {
          if indentation != nil { output += "\n" }
          try write(content, indentedBy: indentation.map { $0 + 2 }, to: &output)
          output += String(repeating: " ", count: indentation ?? 0)
        }
        output += end
      }
      if indentation != nil { output += "\n" }
      try checkRoom(output.utf8.count)
    }
  }

  private static func copy(_ parts: [XMLPart], to output: inout String) {
    for part in parts {
      switch part {
      case .text(let text), .markup(let text): output += text
      case .element(let start, let content, let end):
        output += start
        copy(content, to: &output)
        output += end
      }
    }
  }
}
