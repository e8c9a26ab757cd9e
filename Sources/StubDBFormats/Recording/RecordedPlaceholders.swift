internal import Foundation

/// Names such as `<API_KEY>` that a recorder put in place of what differs or is secret in a URL.
///
/// A client sends another value there, so those parts are free.
struct RecordedPlaceholders {
  /// The names of path segments by the texts that represent them while the URL is read.
  private var segments: [String: String] = [:]
  private var names = UniqueNames(limit: 60)
  /// Whether parameters were taken out of the query.
  private(set) var hasFreeQuery = false

  /// Takes the placeholders out of a URL, and says so in the report.
  mutating func take(from url: String, at source: ReportSource) -> String {
    guard url.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "%") }) else {
      return url
    }
    let original = url
    let url = url.replacingOccurrences(of: "%3C", with: "<", options: .caseInsensitive)
      .replacingOccurrences(of: "%3E", with: ">", options: .caseInsensitive)
    guard Self.name(in: url) != nil else { return original }
    var rest = url[...]
    var query: Substring?
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    var origin = ""
    if let separator = rest.range(of: "://") {
      let start = separator.upperBound
      let slash = rest[start...].firstIndex(of: "/") ?? rest.endIndex
      origin = String(rest[..<slash])
      rest = rest[slash...]
    } else if rest.hasPrefix("<"), let end = rest.firstIndex(of: ">") {
      // The rest may follow without a slash, and the name may have more than one bracket.
      let path = rest[end...].drop { $0 == ">" }
      origin = String(rest[..<path.startIndex])
      rest = path.hasPrefix("/") ? path : "/\(path)"
    }
    if let name = Self.name(in: origin) {
      source.add(.changed, .variable, "<\(name)> stands for the host; any host matches")
      origin = ""
    }
    let path = takeSegments(of: rest.isEmpty ? "/" : String(rest), at: source)
    let parameters = query.map { takeParameters(of: $0, at: source) } ?? ""
    return origin + path + (parameters.isEmpty ? "" : "?\(parameters)")
  }

  private mutating func takeSegments(of path: String, at source: ReportSource) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard let name = Self.name(in: String(segment)) else { return String(segment) }
      source.add(
        .changed, .variable, "<\(name)> has no value; any value matches in its place")
      let plain = name.lowercased().filter {
        $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_"
      }
      let mark = "stubdb-placeholder-\(segments.count)"
      segments[mark] = names.unique(plain.isEmpty ? "value" : plain)
      return mark
    }.joined(separator: "/")
  }

  private mutating func takeParameters(of query: Substring, at source: ReportSource) -> String {
    query.split(separator: "&").filter { parameter in
      guard let name = Self.name(in: String(parameter)) else { return true }
      let parts = parameter.split(separator: "=", maxSplits: 1)
      source.add(
        .changed, .variable, "<\(name)> has no value; the parameter \(parts.first ?? "") is free")
      hasFreeQuery = true
      return false
    }.joined(separator: "&")
  }

  /// A path in which the placeholders are those of a template.
  func filled(in path: String) -> String {
    guard !segments.isEmpty else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { segments[String($0)].map { "{\($0)}" } ?? String($0) }.joined(separator: "/")
  }

  /// The name in the first `<NAME>` of a text, or nil.
  static func name(in text: String) -> String? {
    guard let start = text.firstIndex(of: "<"), let end = text[start...].firstIndex(of: ">") else {
      return nil
    }
    let name = text[start..<end].drop { $0 == "<" }
    let isName =
      !name.isEmpty && name.utf8.count <= 80
      && name.allSatisfy { $0.isLetter || $0.isNumber || "_- .:".contains($0) }
    return isName ? String(name) : nil
  }
}

/// A URL as reports show it.
enum ShownURL {
  /// Without user name, password and the values of parameters, which may be secrets; at most 200 characters.
  static func text(_ url: String) -> String {
    var text = url.prefix { $0 != "?" && $0 != "#" }
    if text.count < url.count { text += "?…" }
    if let separator = text.range(of: "://") {
      let rest = text[separator.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        text = text[..<separator.upperBound] + "…" + rest[at...]
      }
    }
    return String(text.prefix(200))
  }
}
