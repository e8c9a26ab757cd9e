internal import StubDBJSON
internal import StubDBModel

extension DocumentNode {
  /// Throws for what cannot be the name of a cookie or of a path parameter.
  func check(_ name: String, _ names: DocumentNames) throws(DocumentError) {
    switch names {
    case .query, .form: break
    case .cookie:
      if name.isEmpty || name.unicodeScalars.contains(where: \.endsCookieName) {
        throw failure(
          .invalidValue,
          "\"\(name)\" is not a cookie name (RFC 6265): it is empty or holds"
            + " a space, a control character, or one of = ; ,")
      }
    case .pathParameter:
      if name.isEmpty { throw failure(.invalidValue, "the name of the path parameter is empty") }
    }
  }

  func checkedScheme(_ text: String) throws(DocumentError) -> String {
    guard let parts = URLParts(text + "://h/"), let scheme = parts.scheme, parts.host == "h" else {
      throw failure(.invalidValue, "\"\(text)\" is not a URL scheme, such as \"https\"")
    }
    return scheme
  }

  func checkedHost(_ text: String) throws(DocumentError) -> String {
    let isAddress = text.hasPrefix("[")
    guard !text.isEmpty, isAddress || !text.contains(":"),
      let host = URLParts.canonicalHost(text)
    else {
      let advice = text.contains(":") ? "; a port belongs under \"port\"" : ""
      throw failure(.invalidValue, "\"\(text)\" is not a host\(advice)")
    }
    return host
  }

  func check(callbackURL text: String) throws(DocumentError) {
    if text.contains("{{") {
      throw failure(
        .conflict, "only a callback with \"template\": true has placeholders in its URL")
    }
    if let problem = ResponseCallback.problem(ofURL: text) {
      throw failure(.invalidValue, "\"\(text)\" \(problem)")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var endsCookieName: Bool {
    value <= 0x20 || value == 0x7F || self == "=" || self == ";" || self == ","
  }
}

extension DocumentObject {
  /// Throws for path parameters without a placeholder in the path.
  func checkPathParameters(of pattern: RequestPattern) throws(DocumentError) {
    guard let node = self["pathParameters"] else { return }
    var placeholders: [String] = []
    if case .template(let path) = pattern.path {
      placeholders = URLParts.placeholders(of: path)
    }
    for parameter in pattern.pathParameters where !placeholders.contains(parameter.name) {
      let advice =
        placeholders.isEmpty
        ? "write {\(parameter.name)} in it where one segment stands"
        : DocumentNode.advice(parameter.name, placeholders)
      throw DocumentError(
        .conflict, pointer: node.place.pointer.appending(parameter.name),
        message: "the path has no placeholder {\(parameter.name)}; \(advice)")
    }
  }
}
