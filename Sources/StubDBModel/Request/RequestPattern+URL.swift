internal import StubDBJSON

extension RequestPattern {
  /// Makes a pattern of a method and a URL, written as in a scenario document.
  ///
  /// The URL is absolute, or begins with `/` for any host; its path may hold `{name}` for one segment and `**`; its query
  /// parameters are required, in any order. Without a method, all of them match.
  /// - Throws: ``DocumentError`` for a URL that cannot be read.
  public init(method: String? = nil, url: String) throws(DocumentError) {
    var object: [String: JSONValue] = ["url": .string(url)]
    if let method { object["method"] = .string(method) }
    try self.init(jsonObject: object, at: JSONPointer(), validation: .full)
  }
}
