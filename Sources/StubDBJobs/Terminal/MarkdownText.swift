internal import Foundation

/// A page in Markdown as text for a terminal: headings, paragraphs, lists, tables and blocks of code.
///
/// It knows what the pages in `docs` use. Links become their texts. Comments, images, what a browser folds away, and lists of
/// links within the page are left out.
package struct MarkdownText {
  private let columns: Int
  /// How headings are shown.
  private let heading: (String) -> String
  private var lines: [String] = []
  /// The words of a paragraph or of an item of a list that is not written yet, with what its lines begin with.
  private var open: (text: String, first: String, rest: String)?
  /// The cells of a table's first row.
  private var header: [String] = []

  /// Renders a page for a width, its headings as `heading` shows them.
  package static func rendered(
    _ markdown: String, columns: Int, heading: @escaping (String) -> String
  ) -> String {
    var text = MarkdownText(columns: columns, heading: heading)
    text.add(markdown)
    return text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func add(_ markdown: String) {
    var (isCode, isFolded) = (false, false)
    for line in markdown.components(separatedBy: "\n") {
      if !isCode, line.hasPrefix("<details>") { isFolded = true }
      if isFolded {
        isFolded = !line.hasPrefix("</details>")
      } else if line.hasPrefix("```") {
        close()
        isCode.toggle()
      } else if isCode {
        lines.append(line.isEmpty ? "" : "    \(line)")
      } else {
        add(line: line)
      }
    }
    close()
    while lines.last == "" { lines.removeLast() }
  }

  private mutating func add(line: String) {
    if !line.hasPrefix("|") { header = [] }
    if line.hasPrefix("<") || line.isEmpty {
      close()
      if lines.last != "" && !lines.isEmpty { lines.append("") }
    } else if line.hasPrefix("#") {
      close()
      lines.append(heading(Self.plain(line.drop { $0 == "#" || $0 == " " })))
    } else if line.hasPrefix("|") {
      close()
      add(row: Self.cells(line))
    } else if let item = Self.item(line) {
      close()
      open = (item.text, item.mark, String(repeating: " ", count: item.mark.count))
    } else if open != nil {
      open?.text += " " + line.trimmingCharacters(in: .whitespaces)
    } else {
      open = (line, "", "")
    }
  }

  /// The mark of an item of a list, with its indent, and the text after it.
  private static func item(_ line: String) -> (mark: String, text: String)? {
    let rest = line.drop { $0 == " " }
    let digits = rest.prefix { $0.isNumber }
    let mark = digits.isEmpty ? rest.prefix(1) : rest.prefix(digits.count + 1)
    guard digits.isEmpty ? ["*", "-"].contains(mark) : mark.hasSuffix("."),
      rest.dropFirst(mark.count).hasPrefix(" ")
    else { return nil }
    let indent = line.prefix { $0 == " " }
    return ("\(indent)\(mark) ", String(rest.dropFirst(mark.count + 1)))
  }

  /// The first row names the columns; each other one is its first cell with the others below.
  private mutating func add(row: [String]) {
    if row.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } }) { return }
    guard !header.isEmpty else {
      header = row
      return
    }
    let start = lines.count
    wrap(row.first ?? "", first: "  ", rest: "    ")
    for index in start..<lines.count { lines[index] = heading(lines[index]) }
    for (index, cell) in row.enumerated().dropFirst() where !cell.isEmpty {
      let title = row.count > 2 && header.indices.contains(index) ? "\(header[index]): " : ""
      wrap(title + cell, first: "      ", rest: "      ")
    }
  }

  private static func cells(_ line: String) -> [String] {
    let marked = line.replacing("\\|", with: "\u{0}")
    return marked.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { plain($0.replacing("\u{0}", with: "|")).trimmingCharacters(in: .whitespaces) }
  }

  private mutating func close() {
    guard let (text, first, rest) = open else { return }
    open = nil
    if text.hasPrefix("On this page:") { return }
    let shown = Self.plain(text)
    // An image alone.
    if shown.isEmpty { return }
    wrap(shown, first: first, rest: rest)
  }

  private mutating func wrap(_ text: String, first: String, rest: String) {
    var (line, start) = (first, true)
    for word in text.split(separator: " ") {
      if !start, line.columns + 1 + String(word).columns > columns {
        lines.append(line)
        (line, start) = (rest, true)
      }
      line += start ? String(word) : " \(word)"
      start = false
    }
    lines.append(line)
  }

  /// The text without marks for links, code and emphasis.
  private static func plain(_ text: some StringProtocol) -> String {
    var result = ""
    var rest = text[...]
    while let next = rest.first {
      rest = rest.dropFirst()
      if next == "`" {
        // What is in it is no markup.
        result += rest.prefix { $0 != "`" }
        rest = rest.drop { $0 != "`" }.dropFirst()
      } else if next == "!", rest.first == "[", let end = linkEnd(rest.dropFirst()) {
        rest = rest[end.address...]
      } else if next == "[", let end = linkEnd(rest) {
        result += plain(rest[..<end.text])
        rest = rest[end.address...]
      } else if next == "*", rest.first == "*" {
        rest = rest.dropFirst()
      } else {
        result.append(next)
      }
    }
    return result
  }

  /// Where the text of a link ends, and where its address does; nil if it is no link.
  private static func linkEnd<Text: StringProtocol>(
    _ rest: Text
  ) -> (text: Text.Index, address: Text.Index)? {
    guard let middle = rest.firstRange(of: "]("),
      let end = rest[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    return (middle.lowerBound, rest.index(after: end))
  }
}
