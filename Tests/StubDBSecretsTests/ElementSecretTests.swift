import Foundation
import StubDBDocuments
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBSecrets

/// Passwords in XML: what a scan finds in a text, and what a redaction leaves of it.
struct ElementSecretTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let password = "Tr0ub4dor" + "-3zq"

  private static func scenario(_ text: String, value: String = password) throws -> Scenario {
    let text = text.replacing("VALUE", with: value)
    let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    let stub = #"{"key":"k","responses":[{"text":\#(quoted)}]}"#
    return try ScenarioDocument.decode(Data(#"{"scenario":"a/b","stubs":[\#(stub)]}"#.utf8))
  }

  private static let forms = [
    #"<wsse:Password Type="v#PasswordText">VALUE</wsse:Password>"#,
    "<w:password>VALUE</w:password>", "<w:pwd>VALUE</w:pwd>", #"<password x="1">VALUE</password>"#,
    "<password> VALUE </password>", "<password>\r\n\tVALUE\r\n</password>",
    "<password\n>VALUE</password>", "<password\n  a='1'\n  b='2' >\n  VALUE\n</password>",
    #"<o:password xmlns:o="urn:u">VALUE</o:password>"#,
    #"<password x="1"><![CDATA[VALUE]]></password>"#, "<password><value>VALUE</value></password>",
    #"<param name="password">VALUE</param>"#, "<entry key='password'>\n  VALUE\n</entry>",
    #"<c:param type="t" c:name = "db.password">VALUE</c:param>"#,
    #"<param name="password"><![CDATA[VALUE]]></param>"#,
    #"<property name="password"><value>VALUE</value></property>"#,
    #"<setting name="Password" serializeAs="String">\#n  <value>VALUE</value>\#n</setting>"#,
    #"<setting key="password" value="VALUE"/>"#, "<add value='VALUE' key='password' />",
    #"<add key = "password" value = "VALUE"/>"#,
    "<member><name>password</name><value><string>VALUE</string></value></member>",
    "<member>\n<name> password </name>\n<value>VALUE</value>\n</member>",
    "<dict>\n<key>password</key>\n<string>VALUE</string>\n</dict>",
    "<key>DB Password</key><string><![CDATA[VALUE]]></string>",
    #"{"xml":"<param name=\"password\">VALUE</param>"}"#,
  ]

  @Test(arguments: forms)
  func aPasswordInXMLIsFoundAndOnlyItIsReplaced(_ form: String) throws {
    let text = "<?xml version='1.0'?>\n<a><id>1</id>\(form)<b>2</b></a>"
    let scenario = try Self.scenario(text)
    var scanner = SecretScanner()
    let findings = scanner.findings(in: scenario)
    #expect(findings.map(\.kind) == [.password])
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: findings)
    let result = try #require(
      try redactor.finished().redacted(scenario) { scanner.findings(in: $0) })
    let expected = try Self.scenario(text, value: "REDACTED-1")
    #expect(result.scenario == expected)
    #expect(scanner.findings(in: expected).isEmpty)
  }

  @Test(arguments: [
    "<w:user>VALUE</w:user>", "<password:id>VALUE</password:id>",
    #"<user x="password">VALUE</user>"#,
    "<password/>VALUE", "<password x='1'/>VALUE", "</password>VALUE<b>",
    "<!-- password -->VALUE<b>",
    "<password></password><id>VALUE</id>", "<password x='1'> </password><id>VALUE</id>",
    "<password><id>VALUE</id></password>", #"<param name="user">VALUE</param>"#,
    #"<input name="password">VALUE<br>"#, #"<p><input name="password"> VALUE</p>"#,
    #"<button name="password">VALUE</button>"#, #"<param name="password"/><b>VALUE</b>"#,
    #"<setting key="user" value="VALUE"/>"#, "<name>user</name><value>VALUE</value>",
    "<name>password</name><note>VALUE</note>", "<key>password</key><key>VALUE</key>",
    "<note>password</note><value>VALUE</value>", "<name>password</name>VALUE<b>",
    "a<password && b>VALUE<c", "<password x='1'>two words, VALUE</password>",
  ])
  func whatIsBesideAPasswordInXMLIsNone(_ form: String) throws {
    var scanner = SecretScanner()
    #expect(scanner.findings(in: try Self.scenario("<a>\(form)</a>")).isEmpty)
  }

  /// Texts of which each place would be searched to the end if nothing ended the search.
  @Test(arguments: [
    "<password>", "<password ", "<w:password x='1'> ", "<password><value>",
    "<param name='password'>",
    "<param name=", "<name>password</name> ", "<key>password</key><string>", "name=", "name='",
    "=\"> ",
    "> ", "<key>", "</key> ",
  ])
  func aLongTextTakesLinearTime(_ piece: String) {
    let text = Array(String(repeating: piece, count: 50_000 / piece.utf8.count).utf8)
    #expect(text.withUnsafeBufferPointer { SecretDetector.matches(in: $0) }.isEmpty)
  }
}
