import Foundation
import StubDBTestSupport
import Testing

/// What the program prints about a request that nothing answers.
struct UnansweredSecretTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let tokens = [
    "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6", "hvs." + "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s",
    "lin_api_" + "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6sQz1Yx0Ab",
    "SG." + "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd.6sq8Zr5Lk2Wm9Tb4Xc7",
    "1029384756:" + "AAq8Zr5Lk2Wm9Tb4Xc7Vn3Pd6sQz1Yx0Ab7",
  ]

  private func box() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "s.stubdb")
    try box.must(
      "add", "a/b", "--url", "https://api.test/x", "--when-header", "X-A: 1", "--when-query", "x=1")
    return box
  }

  private static func url(_ token: String) -> String {
    "/v1/\(token)/t?x=\(token)&y=Bearer%20\(token)&\(token.replacing(":", with: "%3A"))=1"
      + "&b=\(Data(token.utf8).base64EncodedString())"
  }

  @Test(arguments: tokens)
  func matchAndPlayPrintNoToken(_ token: String) throws {
    let box = try box()
    let url = "https://api.test" + Self.url(token)
    try box.write(
      "r.http", "POST \(url)\nX-A: \(token)\nCookie: a=\(token)\n\n{\"a\": [\"\(token)\"]}\n")
    for words in [
      ["match", "a/b", "POST", url, "--header", "X-A: \(token)", "--data", "see \(token)"],
      ["match", "a/b", "GET", url, "--json"], ["play", "a/b", "r.http"],
      ["play", "a/b", "r.http", "--json"],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code != 0 && !"\(result)".contains(token), "\(words): \(result)")
      #expect(!"\(result)".contains(Data(token.utf8).base64EncodedString()), "\(result)")
    }
  }

  @Test func theErrorOfAnExpressionDoesNotRepeatIt() throws {
    let box = try box()
    let token = Self.tokens[0]
    try box.write(
      "bad.json",
      #"{"key": "k", "request": {"headers": {"A": {"matches": "^Bearer \#(token)("}}}}"#)
    for words in [
      ["add", "a/b", "--file", "bad.json"],
      ["add", "a/b", "--url", "/y", "--when", #"{"headers": {"A": {"matches": "\#(token)("}}}"#],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code != 0 && "\(result)".contains("regular expression"), "\(result)")
      #expect(!"\(result)".contains(token), "\(result)")
    }
  }

  @Test func anExampleCommandHasNoSecretOfTheStub() throws {
    let box = try box()
    let token = Self.tokens[2]
    let twice = token.utf8.map { "%25" + String($0, radix: 16) }.joined()
    try box.write(
      "stubs.json",
      """
      [{"key": "twice", "request": {"method": "POST", "url": "/z", "body": {"equalTo": "\(twice)"}}},
       {"key": "list", "request": {"url": "/l", "query": {"a": {"hasExactly": ["\(token)"]}}}}]
      """)
    let result = try box.run("add", "a/b", "--file", "stubs.json")
    #expect(result.code == 0, "\(result)")
    #expect(!"\(result)".contains(token) && !"\(result)".contains(twice), "\(result)")
  }

  #if Server
    @Test func theAnswerOfAServerHasNoToken() throws {
      let box = try box()
      let token = Self.tokens[0]
      let result = try box.shell(
        """
        mkfifo line
        stubdb serve a/b --port 0 > line 2> log &
        read -r listening < line
        url=${listening#Listening on }
        curl -s -w ' %{http_code}\\n' -H 'X-A: \(token)' -d 'a=\(token)' "$url\(Self.url(token))"
        curl -s -H 'Accept: application/problem+json' "$url\(Self.url(token))"
        kill $!
        wait $!
        cat log
        """)
      #expect("\(result)".contains(" 404"), "\(result)")
      #expect("\(result)".contains("No stub of scenario"), "\(result)")
      #expect(!"\(result)".contains(token), "\(result)")
    }
  #endif
}
