/// The names that an expression may begin with, where it stands.
public struct TemplateNames: Hashable, Sendable {
  /// Outside every loop.
  public static let outside = TemplateNames()

  /// How many loops are around.
  private(set) var depth = 0
  /// The names that the loops around give their elements, innermost last.
  private(set) var locals: [String] = []

  var isInLoop: Bool { depth > 0 }

  func inside(_ loop: TemplateLoop) -> TemplateNames {
    var copy = self
    copy.depth += 1
    copy.locals += loop.names
    return copy
  }

  /// What a request is asked for.
  static let requestParts = [
    "method", "url", "scheme", "host", "port", "baseUrl", "path", "pathSegments", "query",
    "headers", "cookies", "body", "bodyAsBase64", "json",
  ]
  /// What begins a path outside every loop.
  static let roots = ["request", "captured", "answer"]
  /// What a loop says about the element at hand.
  static let loopNames = ["this", "@index", "@key", "@first", "@last"]
}
