package import StubDBModel

extension RequestPattern {
  /// How specific the pattern is; 0 if it accepts every request to a host.
  ///
  /// Distinguishes a stub for a certain request from a catch-all, such as that of an offline scenario.
  package var specificity: Int {
    let fieldCount = query.count + headers.count + cookies.count + captured.count
    let conditions =
      pathSpecificity + 2 * fieldCount + 3 * body.count + (basicAuth == nil ? 0 : 2)
    guard conditions > 0 else { return 0 }
    return conditions + (methods.isEmpty ? 0 : 1) + (host == nil ? 0 : 2)
  }

  private var pathSpecificity: Int {
    switch path {
    case nil: 0
    case .template(let text):
      text.split(separator: "/").reduce(0) { sum, segment in
        if segment == "**" { return sum }
        return sum + (URLParts.isPlaceholder(segment) ? 1 : 3)
      }
    case .value(.equalTo(let text, _)): 3 * text.split(separator: "/").count + 1
    case .value(.anything): 0
    case .value(.matches(let expression)):
      // An expression without letters and digits is no more specific than "anything".
      expression.utf8.contains { $0.isASCIILetter || $0.isASCIIDigit } ? 2 : 0
    case .value: 1
    }
  }
}
