/// Findings as workflow commands of GitHub Actions, a line each.
///
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
struct GitHubAnnotations {
  private let report: FindingReport

  init(_ report: FindingReport) {
    self.report = report
  }

  /// Empty if there are no findings.
  var text: String {
    report.findings.map { finding in
      let properties = [
        ("file", report.catalog), ("title", "stubdb \(report.command): \(finding.rule)"),
      ]
      let list = properties.map { "\($0)=\(Self.property($1))" }.joined(separator: ",")
      return "::\(Self.name(finding.level)) \(list)::\(Self.data(finding.text))\n"
    }.joined()
  }

  private static func name(_ level: FindingReport.Level) -> String {
    switch level {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  /// The message, in which a line end would end the command.
  private static func data(_ text: String) -> String {
    escaped(text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")])
  }

  /// The value of a property, which a comma or a colon would end.
  private static func property(_ text: String) -> String {
    escaped(data(text), [(":", "%3A"), (",", "%2C")])
  }

  /// By scalars, because a carriage return and a line feed are one character.
  private static func escaped(
    _ text: String, _ replacements: [(scalar: Unicode.Scalar, text: String)]
  ) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let replacement = replacements.first(where: { $0.scalar == scalar }) {
        result += replacement.text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
