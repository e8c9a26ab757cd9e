internal import StubDBJSON

extension ShapeComparison {
  /// Header fields that clients act upon, in lower case.
  private static let usedFields: [String] = [
    "content-disposition", "etag", "link", "location", "retry-after", "www-authenticate",
  ]

  /// Compares two answers to the same request.
  ///
  /// `known` is the shape of all JSON content that the catalog has for such requests.
  package mutating func compare(_ stored: AnswerShape, _ live: AnswerShape, known: Shape? = nil) {
    guard stored.status / 100 == live.status / 100 else {
      add(.statusClass, .error, at: JSONPointer(), "\(stored.status)", "\(live.status)")
      return
    }
    if stored.status != live.status {
      add(
        .status, rules.isLenient ? .warning : .error, at: JSONPointer(), "\(stored.status)",
        "\(live.status)")
    }
    compareHeaders(stored, live)
    if stored.isHead || live.isHead { return }
    compareMediaTypes(stored, live)
    compareContents(stored, live, known: known)
  }

  private mutating func compareMediaTypes(_ stored: AnswerShape, _ live: AnswerShape) {
    guard stored.content != .none, live.content != .none, let type = stored.mediaType else {
      return
    }
    if let other = live.mediaType, type.isSame(as: other) { return }
    add(
      .mediaType, .error, at: JSONPointer(), "\(type)",
      live.mediaType.map(\.description) ?? "no media type")
  }

  private mutating func compareContents(
    _ stored: AnswerShape, _ live: AnswerShape, known: Shape?
  ) {
    let top = JSONPointer()
    switch (stored.content, live.content) {
    case (.json(let shape), .json(let other)): compare(shape, other, known: known)
    case (.json, .none): add(.notJSON, .error, at: top, "JSON", "no content")
    case (.json, _): add(.notJSON, .error, at: top, "JSON", "other content")
    case (.xml(let shape), .xml(let other)): compare(shape, other)
    case (.xml, .none), (.other, .none): add(.missing, .error, at: top, "content", "no content")
    case (.xml, _): add(.type, .error, at: top, "XML", "other content")
    case (.none, .none), (.other, _): break
    case (.none, _): add(.added, .note, at: top, "no content", "content")
    }
  }

  private mutating func compareHeaders(_ stored: AnswerShape, _ live: AnswerShape) {
    let top = JSONPointer(["headers"])
    let wanted = Set(Self.usedFields).union(rules.headers)
    for name in wanted.sorted() where stored.fieldNames.contains(name) {
      if live.fieldNames.contains(name) { continue }
      add(.header, .warning, at: top.appending(name), "present", "missing")
    }
    for name in stored.cookieNames.subtracting(live.cookieNames).sorted() {
      add(.header, .warning, at: top.appending("set-cookie").appending(name), "set", "not set")
    }
    if let path = stored.location, let other = live.location, path != other {
      add(
        .redirect, .warning, at: top.appending("location"), path, "another path", value: other)
    }
  }
}
