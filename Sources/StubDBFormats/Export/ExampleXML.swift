internal import Foundation
internal import StubDBModel
internal import StubDBSupport

/// Makes XML documents in which a simple XPath selects something.
enum ExampleXML {
  /// Documents worth trying; empty for an expression with more than names, attributes and equality.
  static func documents(_ pattern: XPathPattern) -> [String] {
    var steps = steps(pattern.expression)
    guard pattern.expression.hasPrefix("/"), !steps.isEmpty else { return [] }
    let value = pattern.value.flatMap { ExampleValues.value(for: $0) } ?? "any"
    var attribute: String?
    if let last = steps.last, last.hasPrefix("@") {
      attribute = String(last.dropFirst())
      steps.removeLast()
    } else if steps.last == "text()" {
      steps.removeLast()
    }
    let elements = steps.compactMap(Element.init)
    guard elements.count == steps.count, let last = elements.last else { return [] }
    var text = ""
    for (index, element) in elements.enumerated().reversed() {
      var element = element
      if index == elements.count - 1 {
        if let attribute { element.attributes.append((attribute, value)) }
        element.text = element.text ?? (attribute == nil && last.children.isEmpty ? value : nil)
      }
      let namespaces =
        index == 0
        ? pattern.namespaces.sorted { $0.key < $1.key }.map { ("xmlns:\($0.key)", $0.value) } : []
      text = element.text(around: text, namespaces: namespaces)
    }
    return [text]
  }

  /// The steps of a path, at the slashes that are in no text.
  private static func steps(_ expression: String) -> [String] {
    var steps: [String] = []
    var step = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    for scalar in expression.unicodeScalars {
      if scalar == "/", quote == nil {
        if !step.isEmpty { steps.append(String(step)) }
        step = .init()
        continue
      }
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      }
      step.append(scalar)
    }
    return step.isEmpty ? steps : steps + [String(step)]
  }

  private struct Element {
    var name: String
    var attributes: [(String, String)] = []
    var children: [(String, String)] = []
    var text: String?

    nonisolated(unsafe) private static let condition =
      /\[\s*(@?[A-Za-z_][A-Za-z0-9_.:-]*|\.|text\(\))\s*=\s*['"]([^'"]*)['"]\s*\]/
      .matchingSemantics(.unicodeScalar)

    /// `name`, `name[@id='1']`, `name[child='x']`, `name[.='x']`, `name[text()='x']`.
    init?(_ step: String) {
      let name = /[A-Za-z_][A-Za-z0-9_.:-]*/.matchingSemantics(.unicodeScalar)
      guard let start = step.prefixMatch(of: name) else { return nil }
      self.name = String(start.output)
      var rest = step[start.range.upperBound...]
      while !rest.isEmpty {
        guard
          let match = rest.prefixMatch(of: Self.condition)
        else { return nil }
        let value = String(match.output.2)
        switch match.output.1 {
        case ".", "text()": text = value
        case let word where word.hasPrefix("@"):
          attributes.append((String(word.dropFirst()), value))
        case let word: children.append((String(word), value))
        }
        rest = rest[match.range.upperBound...]
      }
    }

    func text(around content: String, namespaces: [(String, String)]) -> String {
      let fields = (namespaces + attributes).map { " \($0.0)=\"\(Self.escaped($0.1))\"" }
      let inner =
        children.map { "<\($0.0)>\(Self.escaped($0.1))</\($0.0)>" }.joined()
        + (text.map(Self.escaped) ?? "") + content
      return "<\(name)\(fields.joined())>\(inner)</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
      text.replacingScalar("&", with: "&amp;").replacingScalar("<", with: "&lt;")
        .replacingScalar("\"", with: "&quot;")
    }
  }
}
