package import StubDBJSON
public import StubDBSupport

/// An XML document to compare with, and the options of the comparison.
public struct XMLPattern: Hashable, Sendable {
  /// The document.
  @ByBytes public var document: String
  /// Whether `${xmlunit.…}` placeholders in the document are honoured; false by default.
  public var enablePlaceholders: Bool
  /// Whether elements of one name may be in any order; false by default.
  public var ignoreOrderOfSameNode: Bool

  /// Makes an XML pattern.
  public init(
    _ document: String, enablePlaceholders: Bool = false, ignoreOrderOfSameNode: Bool = false
  ) {
    self.document = document
    self.enablePlaceholders = enablePlaceholders
    self.ignoreOrderOfSameNode = ignoreOrderOfSameNode
  }
}

/// An XPath expression, its namespaces, and a pattern for the selected value.
public struct XPathPattern: Hashable, Sendable {
  /// The expression, XPath 1.0.
  @ByBytes public var expression: String
  /// Namespace URIs by the prefix that the expression uses.
  @ByBytes public var namespaces: [String: String]
  /// The pattern for the selected text; nil if it suffices that something is selected.
  public var value: ValuePattern?

  /// Makes an XPath pattern.
  public init(
    _ expression: String, namespaces: [String: String] = [:], value: ValuePattern? = nil
  ) {
    self.expression = expression
    self.namespaces = namespaces
    self.value = value
  }
}

extension XMLPattern: BodyOperator {
  package static let name = "equalToXml"
  package static let options = ["enablePlaceholders", "ignoreOrderOfSameNode"]

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    .equalToXML(
      XMLPattern(
        try operand.filledString("the XML document"),
        enablePlaceholders: try object.flag("enablePlaceholders", of: members),
        ignoreOrderOfSameNode: try object.flag("ignoreOrderOfSameNode", of: members)))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun("XML " + style.plain(document))
  }
}

extension XPathPattern: BodyOperator {
  package static let name = "matchesXPath"

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    guard case .object(let members) = operand.value else {
      return .matchesXPath(XPathPattern(try operand.filledString("the XPath")))
    }
    let object = try operand.object(.xPath)
    var pattern = XPathPattern(
      try object.required("expression").filledString("the XPath"))
    if let namespaces = object["namespaces"] {
      for (prefix, node) in try namespaces.members("an object of prefixes and namespace URIs") {
        pattern.namespaces[prefix] = try node.filledString("the namespace URI")
      }
    }
    if members.count > 1 + (object.has("namespaces") ? 1 : 0) {
      let name = try operand.mainOperator(
        of: members, .value, besides: ["expression", "namespaces"])
      pattern.value = try operand.valueOperator(name, of: members)
    }
    return .matchesXPath(pattern)
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.plain(expression) + " selects "
      + (value.map { style.shown($0, selectedBy: expression).phrase(style.ofNouns) } ?? "something")
  }
}

extension BodyPattern {
  /// An XML document that the content equals.
  public static func equalToXML(_ document: XMLPattern) -> BodyPattern {
    BodyPattern(document)
  }

  /// An XPath that selects something, or something that satisfies the pattern.
  public static func matchesXPath(_ path: XPathPattern) -> BodyPattern {
    BodyPattern(path)
  }
}
