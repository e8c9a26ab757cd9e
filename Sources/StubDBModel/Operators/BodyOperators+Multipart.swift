package import StubDBJSON
public import StubDBSupport

/// A pattern for one part of `multipart/form-data` content.
///
/// https://www.rfc-editor.org/rfc/rfc7578
public struct PartPattern: Hashable, Sendable {
  /// The name of the part; nil matches any.
  @ByBytes public var name: String?
  /// The pattern for the file name; nil matches any.
  public var filename: ValuePattern?
  /// The patterns for the part's header fields, always sorted by name, ignoring case.
  public var headers: [HeaderPattern] {
    didSet { headers = HeaderPattern.sorted(headers) }
  }
  /// The patterns for the part's content, all of which must match.
  public var body: [BodyPattern]

  /// Makes a part pattern; header patterns are sorted by name.
  public init(
    name: String? = nil, filename: ValuePattern? = nil, headers: [HeaderPattern] = [],
    body: [BodyPattern] = []
  ) {
    self.name = name
    self.filename = filename
    self.headers = HeaderPattern.sorted(headers)
    self.body = body
  }
}

/// The operator `multipart`.
package struct MultipartOperator: Hashable, Sendable {
  package var parts: [PartPattern]
  /// Whether a content with other parts does not match, so that each pattern has a part of its own.
  package var isExact = false
}

extension MultipartOperator: BodyOperator {
  package static let name = "multipart"
  package static let options = ["isExact"]

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    var parts: [PartPattern] = []
    for node in try operand.list("a list of part patterns") {
      let part = try node.object(.part)
      parts.append(
        PartPattern(
          name: try part["name"]?.string(), filename: try part["filename"]?.valuePattern(),
          headers: try part["headers"]?.headerPatterns() ?? [],
          body: try part["body"]?.bodyPatterns() ?? []))
    }
    return .multipart(parts, isExact: try object.flag("isExact", of: members))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun(
      "multipart with \(isExact ? "exactly " : "")"
        + style.list(parts.map { $0.phrase(style.ofNouns) }))
  }
}

extension PartPattern {
  /// The pattern in words: `part avatar with filename matches ".+"`.
  package func phrase(_ style: PhraseStyle) -> String {
    let parts =
      (filename.map { ["filename \($0.phrase(style))"] } ?? [])
      + headers.map { "header " + $0.named.phrase(style) }
      + body.map { body in
        guard case .value(let value) = body.storage else { return "body " + body.phrase(style) }
        return "body " + style.shown(value, name ?? "").phrase(style)
      }
    let title = name.map { "part \(style.plain($0))" } ?? "a part"
    return title + (parts.isEmpty ? "" : " with " + parts.joined(separator: " and "))
  }
}

extension BodyPattern {
  /// Parts of a `multipart/form-data` content, in order; each needs a part that satisfies it.
  ///
  /// Other parts are allowed unless `isExact`; then each needs a part of its own.
  public static func multipart(_ parts: [PartPattern], isExact: Bool = false) -> BodyPattern {
    BodyPattern(MultipartOperator(parts: parts, isExact: isExact))
  }
}
