package import StubDBModel

extension RequestPattern {
  /// How much the pattern says about a request; 0 if it accepts every request to a host.
  ///
  /// Tells the stub that was made for a request from one that answers everything, such as that of an offline scenario.
  package var specificity: Int {
    let conditions = RequestPart.all.reduce(0) { $0 + specificity(of: $1) }
    guard conditions > 0 else { return 0 }
    return conditions + (methods.isEmpty ? 0 : 1) + (host == nil ? 0 : 2)
  }

  /// How much the pattern says about one part; methods and hosts count only beside others.
  private func specificity(of part: RequestPart) -> Int {
    switch (part, part.demand(of: self)) {
    case (.path, _): pathSpecificity
    case (.basicAuth, _): basicAuth == nil ? 0 : 2
    case (.method, _), (.host, _), (.pathParameters, _): 0
    case (_, .value(let pattern)): pattern?.specificity ?? 0
    case (_, .named(let patterns)): 2 * patterns.count
    case (_, .bodies(let patterns)): 3 * patterns.count
    case (_, .methods), (_, .other): 0
    }
  }

  private var pathSpecificity: Int {
    switch path {
    case nil: 0
    // The root is one path.
    case .template("/"): 1
    case .template(let text):
      text.split(separator: "/").reduce(0) { sum, segment in
        if segment == "**" { return sum }
        return sum + (URLParts.isPlaceholder(segment) ? 1 : 3)
      }
    case .value(let pattern): pattern.specificity
    }
  }
}

extension Stub {
  /// Whether requests of all methods to a certain place get a response: what was written for a `GET` then answers a
  /// `POST` too.
  package var answersAnyMethod: Bool {
    request.methods.isEmpty && request.specificity > 0
      && responses.contains { response in
        response.error == nil && response.fault == nil && response.delegation == nil
          && !response.isWebSocket
      }
  }
}

extension ValuePattern {
  /// How much the pattern says about a path or a URL.
  fileprivate var specificity: Int {
    switch self.operator {
    case .equalTo: 3 * text.split(separator: "/").count + 1
    case .anything: 0
    case .matches:
      // An expression without a letter or a digit says no more than "anything".
      text.utf8.contains { $0.isASCIILetter || $0.isASCIIDigit } ? 2 : 0
    default: 1
    }
  }
}
