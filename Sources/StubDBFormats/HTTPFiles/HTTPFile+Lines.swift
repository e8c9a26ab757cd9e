extension HTTPFile {
  /// A line of the file, without its end.
  struct Line {
    let number: Int
    let text: Substring

    static func trim(_ text: Substring) -> String {
      // Scalars are looked at: a space with a combining mark after it is no space alone.
      let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
      let end = start.lastIndex { !$0.properties.isWhitespace }
      return end.map { String(start[...$0]) } ?? ""
    }

    var trimmed: String { Self.trim(text) }
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
    var isComment: Bool {
      let text = text.drop(while: \.isWhitespace)
      return text.hasPrefix("#") || text.hasPrefix("//")
    }
    /// Whether the line continues the URL above it.
    var isContinuation: Bool {
      guard let first = text.first, first == " " || first == "\t" else { return false }
      return !isBlank && !isComment
    }
    /// Whether a handler or a saved response begins here although no empty line precedes it.
    var startsBodyOrHandler: Bool {
      text.hasPrefix("> ") || text.hasPrefix(">>") || text.hasPrefix("<> ")
    }

    /// The setting in a comment such as `# @name login` or `// @name = login`; nil for other lines.
    var directive: (name: String, value: String?)? {
      var rest = text.drop(while: \.isWhitespace)
      guard rest.hasPrefix("#") || rest.hasPrefix("//") else { return nil }
      rest = rest.drop { $0 == "#" || $0 == "/" || $0.isWhitespace }
      guard rest.first == "@" else { return nil }
      rest = rest.dropFirst()
      let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
      let value = Self.trim(rest.dropFirst(name.count).drop { $0.isWhitespace || $0 == "=" })
      return (String(name), value.isEmpty ? nil : value)
    }
  }

  /// Splits a file at the lines that begin with `###`.
  struct Reader {
    /// The lines between two separators.
    struct Block {
      /// The text after the separator, or nil.
      var name: String?
      var lines: [Line] = []
    }

    private var blocks: [Block] = [Block()]
    private var next = 0

    init(_ text: String) {
      let text = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
      for (index, line) in lines.enumerated() {
        if line.hasPrefix("###") {
          let name = Line.trim(line.drop { $0 == "#" })
          blocks.append(Block(name: name.isEmpty ? nil : name))
        } else {
          blocks[blocks.count - 1].lines.append(Line(number: index + 1, text: line))
        }
      }
    }

    mutating func nextBlock() -> Block? {
      guard next < blocks.count else { return nil }
      defer { next += 1 }
      return blocks[next]
    }
  }
}

extension Character {
  /// Whether it ends a line of a file: LF, CR LF or CR.
  ///
  /// `isNewline` also takes the other line ends of Unicode, which are a part of the text in HTTP, and form feeds.
  package var endsLine: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
