import StubDBTransfer
import Testing

/// The three formats of findings; `scripts/test-findings` compares them with their published schemas.
struct FindingReportTests {
  private func report(_ findings: [FindingReport.Finding]) -> FindingReport {
    FindingReport(
      command: "check", version: "1.0", catalog: "Tests/a b,c.stubdb",
      rules: ["shadowed": "It never answers."], scenarios: ["a/fine", "b/bad"], findings: findings)
  }

  private func finding(
    at pointer: String? = "/stubs/1", _ message: String = "wrong",
    level: FindingReport.Level = .error
  ) -> FindingReport.Finding {
    FindingReport.Finding(
      rule: "shadowed", level: level, scenario: "b/bad", key: "k", pointer: pointer,
      message: message)
  }

  @Test func annotationsEscapeWhatEndsThem() {
    let text = FindingFormat.github.text(
      of: report([finding("50%\r\na:b,c"), finding(at: nil, "seen", level: .note)]))
    #expect(
      text == """
        ::error file=Tests/a b%2Cc.stubdb,title=stubdb check%3A shadowed::b/bad k /stubs/1: 50%25%0D%0Aa:b,c
        ::notice file=Tests/a b%2Cc.stubdb,title=stubdb check%3A shadowed::b/bad k: seen

        """)
    #expect(FindingFormat.github.text(of: report([])).isEmpty)
  }

  @Test func testResultsHaveACaseForEachScenario() {
    let text = FindingFormat.junit.text(
      of: report([
        finding("<\"\u{1}&"), finding("second"), finding("seen", level: .warning),
        .init(rule: "damaged", level: .error, message: "broken"),
      ]))
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="stubdb check Tests/a b,c.stubdb" tests="3" failures="2" errors="0">
          <testsuite name="stubdb check Tests/a b,c.stubdb" tests="3" failures="2" errors="0" \
        file="Tests/a b,c.stubdb">
            <testcase classname="stubdb check Tests/a b,c.stubdb" name="Tests/a b,c.stubdb">
              <failure type="damaged" message="broken">error damaged: broken</failure>
            </testcase>
            <testcase classname="stubdb check Tests/a b,c.stubdb" name="a/fine"/>
            <testcase classname="stubdb check Tests/a b,c.stubdb" name="b/bad">
              <failure type="shadowed" message="&lt;&quot;\u{FFFD}&amp; (and 1 more)">\
        error shadowed: b/bad k /stubs/1: &lt;&quot;\u{FFFD}&amp;
        error shadowed: b/bad k /stubs/1: second</failure>
              <system-out>warning shadowed: b/bad k /stubs/1: seen</system-out>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func fingerprintsStayWhenOtherStubsCome() {
    func prints(_ findings: [FindingReport.Finding]) -> [Substring] {
      FindingFormat.sarif.text(of: report(findings)).split(separator: "\n")
        .filter { $0.contains("stubdbPlace/v1") }
    }
    let before = prints([finding(at: "/stubs/1/request")])
    let after = prints([finding(at: "/stubs/7/request", "in other words")])
    #expect(before == after && before.count == 1)
    #expect(Set(prints([finding(), finding(at: "/stubs/2")])).count == 2)
  }
}
