internal import StubDBJSON
internal import StubDBSupport

extension RequestPattern: TextComparable {
  package func hasSameText(as other: RequestPattern) -> Bool {
    RequestPart.all.allSatisfy { $0.hasSameText(self, other) }
  }
}

extension RequestPart {
  /// Whether two patterns have the same text in this part.
  fileprivate func hasSameText(_ one: RequestPattern, _ other: RequestPattern) -> Bool {
    switch self {
    case .method: one.methods == other.methods
    case .url: one.wholeURL.hasSameText(as: other.wholeURL)
    case .scheme: one.scheme.hasSameText(as: other.scheme)
    case .host: one.host.hasSameText(as: other.host)
    case .port: one.port == other.port
    case .path: one.path.hasSameText(as: other.path)
    case .pathParameters: one.pathParameters.hasSameText(as: other.pathParameters)
    case .query: one.query.hasSameText(as: other.query)
    case .queryIsExact: one.queryIsExact == other.queryIsExact
    case .headers: one.headers.hasSameText(as: other.headers)
    case .cookies: one.cookies.hasSameText(as: other.cookies)
    case .basicAuth: one.basicAuth.hasSameText(as: other.basicAuth)
    case .captured: one.captured.hasSameText(as: other.captured)
    case .body: one.body.hasSameText(as: other.body)
    }
  }
}

extension PathPattern: TextComparable {
  package func hasSameText(as other: PathPattern) -> Bool {
    switch (self, other) {
    case (.template(let text), .template(let other)): text.hasSameText(as: other)
    case (.value(let pattern), .value(let other)): pattern.hasSameText(as: other)
    case (.template, .value), (.value, .template): false
    }
  }
}

extension NamedPattern: TextComparable {
  package func hasSameText(as other: NamedPattern) -> Bool {
    name.hasSameText(as: other.name) && pattern.hasSameText(as: other.pattern)
  }
}

extension HeaderPattern: TextComparable {
  package func hasSameText(as other: HeaderPattern) -> Bool { named.hasSameText(as: other.named) }
}

extension BasicCredentials: TextComparable {
  package func hasSameText(as other: BasicCredentials) -> Bool {
    username.hasSameText(as: other.username) && password.hasSameText(as: other.password)
  }
}

extension ValuePattern: TextComparable {
  package func hasSameText(as other: ValuePattern) -> Bool {
    guard self.operator == other.operator else { return false }
    switch (operand, other.operand) {
    case (.text(let text, let ignoresCase), .text(let other, let otherIgnoresCase)):
      return ignoresCase == otherIgnoresCase && text.hasSameText(as: other)
    case (.pattern(let pattern), .pattern(let other)): return pattern.hasSameText(as: other)
    case (.patterns(let patterns), .patterns(let others)): return patterns.hasSameText(as: others)
    default:
      return operand == other.operand
        && OrderedJSON.value(self).jsonValue.hasSameText(as: OrderedJSON.value(other).jsonValue)
    }
  }
}

extension BodyPattern: TextComparable {
  package func hasSameText(as other: BodyPattern) -> Bool {
    if case (.value(let pattern), .value(let other)) = (storage, other.storage) {
      return pattern.hasSameText(as: other)
    }
    return self == other
      && JSONValue.object(OrderedJSON.jsonObject(OrderedJSON.bodyMembers(self)))
        .hasSameText(as: .object(OrderedJSON.jsonObject(OrderedJSON.bodyMembers(other))))
  }
}
