/// The names that an expression may begin with at its place in the template.
package struct TemplateNames: Hashable, Sendable {
  /// The names outside every loop.
  package static let outside = TemplateNames()

  /// The number of enclosing loops.
  private(set) var depth = 0
  /// The names that the enclosing loops give their elements, innermost last.
  private(set) var locals: [String] = []

  /// The names under which the template has kept values so far.
  var variables: Set<String> = []

  var isInLoop: Bool { depth > 0 }

  /// Whether the template itself gives the name a value.
  func isLocal(_ name: String) -> Bool { locals.contains(name) || variables.contains(name) }

  func inside(_ loop: TemplateLoop) -> TemplateNames {
    var copy = self
    copy.depth += 1
    copy.locals += loop.names
    return copy
  }

  /// The parts of a request that a template can ask for.
  static let requestParts = [
    "method", "url", "absoluteUrl", "scheme", "host", "port", "baseUrl", "path", "pathSegments",
    "query",
    "headers", "cookies", "body", "bodyAsBase64", "json",
  ]
  /// What WireMock offers and stubdb does not, with the alternative or the reason.
  static let leftOut: [String: String] = [
    "clientIp": "a client in its own process has no address",
    "id": "write {{uuid}} for one of your own",
    "parts": "capture what a part holds, or match it with \"multipart\"",
    "multipart": "match the parts with \"multipart\"",
    "parameters": "write the value itself",
    "hostname": "a scenario says the same on every machine; write the name",
    "systemValue": "a scenario says the same on every machine; write the value",
    "dateFormat": "write {{date x format='…'}}", "stringFormat": "write {{concat x y}}",
    "numberFormat": "write {{math x '*' 1}}", "wordWrap": "write the lines",
    "formatXml": "write the document as it is to be sent",
  ]
  /// The names that can begin a path outside every loop.
  static let roots = ["request", "captured", "answer", "baseURL"]
  /// The names that a loop gives to facts about the current element.
  static let loopNames = ["this", "@index", "@key", "@first", "@last"]
}
