internal import StubDBJSON

extension RequestPattern {
  /// Makes a pattern of a method and a URL, written as in a scenario document.
  ///
  /// The URL is absolute, or begins with `/` for any host. Its path may contain `{name}` for one segment and `**` for
  /// any number; its query parameters are required, in any order. Without a method, all methods match.
  /// - Throws: ``DocumentError`` for an invalid URL.
  public init(method: String? = nil, url: String) throws(DocumentError) {
    var object: [String: JSONValue] = ["url": .string(url)]
    if let method { object["method"] = .string(method) }
    try self.init(jsonObject: object, at: JSONPointer(), validation: .full)
  }
}
