package import Foundation
package import HTTPTypes
internal import StubDBJSON
internal import StubDBSupport
internal import StubDBXML

/// An answer as a client got it, of a stub or of a server.
package struct SampledAnswer: Hashable, Sendable {
  package var status: Int
  package var headers: HTTPFields
  /// The content, decoded.
  package var content: Data
  /// Whether a request of the method `HEAD` got it, so that its content says nothing.
  package var isHead: Bool

  package init(
    status: Int, headers: HTTPFields = HTTPFields(), content: Data = Data(), isHead: Bool = false
  ) {
    (self.status, self.headers, self.content) = (status, headers, content)
    self.isHead = isHead
  }
}

/// What is compared of an answer: status, media type, the shape of its content, and the names of header fields.
package struct AnswerShape: Hashable, Sendable {
  /// The content by its form.
  package enum Content: Hashable, Sendable {
    case none
    case json(Shape)
    case xml(Shape)
    /// Text and bytes that have no shape.
    case other
  }

  package var status: Int
  /// The media type; nil if the answer does not say one.
  package var mediaType: MediaType?
  package var content: Content
  /// The names of the header fields, in lower case.
  package var fieldNames: Set<String>
  /// The names of the cookies that are set.
  package var cookieNames: Set<String>
  /// The path of `Location`, with a placeholder for each id; nil without the field.
  package var location: String?
  package var isHead: Bool

  /// The shape of an answer.
  package init(_ answer: SampledAnswer) {
    status = answer.status
    isHead = answer.isHead
    mediaType = answer.headers[.contentType].flatMap(MediaType.init)
    fieldNames = Set(answer.headers.map { $0.name.canonicalName })
    cookieNames = Set(
      answer.headers[fields: .setCookie].flatMap { CookieNames.names(in: $0.value) })
    location = answer.headers[.location].map(LocationShape.template)
    content = Self.content(answer.content, mediaType)
  }

  private static func content(_ bytes: Data, _ type: MediaType?) -> Content {
    guard !bytes.isEmpty else { return .none }
    // Some servers send JSON as text.
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type?.isJSON ?? false || looksLikeJSON, let value = try? JSONValue(parsing: bytes) {
      return .json(Shape(value))
    }
    if type?.isXML ?? false, let text = String(strictUTF8: bytes),
      let tree = try? XMLTree(parsing: text)
    {
      return .xml(Shape(xml: tree))
    }
    return .other
  }

  /// The shape of JSON content; nil for other content.
  package var json: Shape? { if case .json(let shape) = content { shape } else { nil } }
}

/// A media type without its parameters.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
  /// Type and subtype in lower case.
  package let description: String

  /// Nil for a text that does not begin with a type and a subtype.
  package init?(_ text: String) {
    let type = text.prefix { $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces)
      .lowercased()
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    // A server may send anything, and the type is printed.
    guard parts.count == 2, type.utf8.count <= 127,
      parts.allSatisfy({ HTTPField.Name(String($0)) != nil })
    else { return nil }
    description = type
  }

  package var isJSON: Bool { description.hasSuffix("/json") || description.hasSuffix("+json") }
  package var isXML: Bool { description.hasSuffix("/xml") || description.hasSuffix("+xml") }

  /// Whether clients read both alike: `application/problem+json` is JSON.
  package func isSame(as other: MediaType) -> Bool {
    self == other || isJSON && other.isJSON || isXML && other.isXML
  }
}

/// The names of cookies in `Set-Cookie` fields, of which Foundation joins several with commas.
enum CookieNames {
  static func names(in field: String) -> [String] {
    field.matches(of: /(?:^|,)\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=/).map { String($0.output.1) }
  }
}

/// The path of a `Location` field with a placeholder for each id.
enum LocationShape {
  static func template(_ location: String) -> String {
    var path = location[...]
    if let authority = path.range(of: "://") {
      path = path[authority.upperBound...]
      path = path.firstIndex { "/?#".contains($0) }.map { path[$0...] } ?? "/"
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.map { segment in
      IdentifierText.isOne(String(segment)) ? "{id}" : String(segment)
    }.joined(separator: "/")
  }
}

// MARK: - XML

extension Shape {
  /// The shape of an XML document: elements and attributes are members, a repeated element is marked.
  init(xml tree: XMLTree) {
    types = .object
    objectCount = 1
    var root = Shape()
    root.addElement(tree.root, of: tree)
    members = [tree.nodes[tree.root].name.local: Member(count: 1, shape: root)]
  }

  /// Adds an element as a sample; the reader refuses documents that nest too deep.
  private mutating func addElement(_ place: Int, of tree: XMLTree) {
    let node = tree.nodes[place]
    let children = node.children.filter { tree.nodes[$0].kind == .element }
    if children.isEmpty, node.attributes.isEmpty {
      let text = tree.text(of: place).trimmingCharacters(in: .whitespacesAndNewlines)
      // An empty element may be an empty text or an empty list.
      guard !text.isEmpty else { return }
      types.insert(.string)
      texts.add(text)
      return
    }
    types.insert(.object)
    objectCount += 1
    for index in node.attributes {
      let attribute = tree.nodes[index]
      addMember("@" + attribute.name.local) {
        $0.types.insert(.string)
        $0.texts.add(attribute.value)
      }
    }
    let groups = Dictionary(grouping: children) { tree.nodes[$0].name.local }
    for (name, places) in groups {
      addMember(name) { shape in
        if places.count > 1 { shape.isRepeated = true }
        for place in places { shape.addElement(place, of: tree) }
      }
    }
  }

  private mutating func addMember(_ name: String, _ add: (inout Shape) -> Void) {
    var member = members[name] ?? Member()
    member.count += 1
    add(&member.shape)
    members[name] = member
  }
}
