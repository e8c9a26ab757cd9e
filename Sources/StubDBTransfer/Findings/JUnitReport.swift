/// Findings as test results: a test case for each scenario, and one for the file if it has findings of its own.
///
/// The form is that of Jenkins, whose schema is `junit-10.xsd` of its xUnit plugin. Errors are failures, other findings
/// are output of a test case that passes.
struct JUnitReport {
  /// What a test case is about.
  private struct Case {
    let name: String
    var findings: [FindingReport.Finding] = []

    var errors: [FindingReport.Finding] { findings.filter { $0.level == .error } }
    var others: [FindingReport.Finding] { findings.filter { $0.level != .error } }
  }

  private let report: FindingReport
  private let cases: [Case]

  init(_ report: FindingReport) {
    self.report = report
    let groups = Dictionary(grouping: report.findings) { $0.scenario ?? report.catalog }
    let known = Set(report.scenarios)
    // A scenario that cannot be listed, in a damaged file, has findings all the same.
    let names = groups.keys.filter { !known.contains($0) }.sorted() + report.scenarios
    cases = names.map { Case(name: $0, findings: groups[$0] ?? []) }
  }

  var text: String {
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(cases.count { !$0.errors.isEmpty })\" errors=\"0\""
    let title = Self.attribute(report.title)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"\(title)\" \(counts)>\n"
    text += "  <testsuite name=\"\(title)\" \(counts) file=\"\(Self.attribute(report.catalog))\">\n"
    for test in cases { append(test, to: &text) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private func append(_ test: Case, to text: inout String) {
    text += "    <testcase classname=\"\(Self.attribute(report.title))\""
    text += " name=\"\(Self.attribute(test.name))\""
    guard !test.findings.isEmpty else {
      text += "/>\n"
      return
    }
    text += ">\n"
    let (errors, others) = (test.errors, test.others)
    if let first = errors.first {
      let more = errors.count == 1 ? "" : " (and \(errors.count - 1) more)"
      text += "      <failure type=\"\(Self.attribute(first.rule))\""
      text += " message=\"\(Self.attribute(first.message + more))\">"
      text += "\(Self.lines(errors))</failure>\n"
    }
    if !others.isEmpty { text += "      <system-out>\(Self.lines(others))</system-out>\n" }
    text += "    </testcase>\n"
  }

  private static func lines(_ findings: [FindingReport.Finding]) -> String {
    findings.map { escaped("\($0.level.rawValue) \($0.rule): \($0.text)") }.joined(separator: "\n")
  }

  private static func attribute(_ text: String) -> String {
    escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\r": result += "&#13;"
      case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
        result.unicodeScalars.append(scalar)
      // XML 1.0 has no way to write others. https://www.w3.org/TR/xml/#charsets
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
