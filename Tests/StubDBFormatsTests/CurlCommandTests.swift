import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

struct CurlCommandTests {
  private func command(_ text: String, files: [String: String] = [:]) throws -> CurlCommand {
    try CurlCommand(parsing: text) { path in
      guard let text = files[path] else { throw CurlError("no file \(path)") }
      return Data(text.utf8)
    }
  }

  @Test func wordsAreCutAsBashDoes() throws {
    func words(_ text: String) throws -> [[String]] { try ShellWords(parsing: text).commands }
    #expect(try words(#"a 'b c' "d \" \n e" f\ g"#) == [["a", "b c", #"d " \n e"#, "f g"]])
    #expect(try words("a \\\n  b # c\nd; e | f && g") == [["a", "b"], ["d"], ["e"], ["f"], ["g"]])
    #expect(try words(#"x'y'"z" '' #no"#) == [["xyz", ""]])
    #expect(
      try words(#"$'it\u0021 \'q\' \x41\101\n\U0001F600 \ud83d\ude00 \xc3\xbc'"#)
        == [["it! 'q' AA\n😀 😀 ü"]])
    #expect(try words("a \\\r\n b 'c\r\nd'\r\n") == [["a", "b", "c\nd"]])
    #expect(try words("a 'b\rc' \"d\re\" f\rg\r") == [["a", "b\rc", "d\re", "f\rg"]])
    #expect(try ShellWords(parsing: #"a "$TOKEN ${B}" $ '$C'"#).variables == ["$TOKEN", "${B}"])
    for text in ["'a", "\"a", "$'a", "$(ls)", "`ls`", "a > b", "curl ^\n -v", "${a:-b}"] {
      #expect(throws: CurlError.self) { try words(text) }
    }
    #expect(throws: CurlError("the quotation mark ' is not closed", line: 2)) {
      try words("a\n'b\n")
    }
  }

  @Test func aCommandOfABrowserIsARequestWithoutWhatTheBrowserAdds() throws {
    let curl = try command(
      """
      curl 'https://api.shop.test/v1/charges?expand=customer&expand=card' \\
        -H 'accept: application/json' \\
        -H 'authorization: Bearer sk_live_1' \\
        -H 'content-type: application/json' \\
        -b 'sid=1' \\
        -H 'sec-ch-ua: "Chromium"' \\
        -H 'user-agent: Mozilla/5.0' \\
        -H 'x-tenant: 7' \\
        --data-raw $'{"note":"it\\u0021","amount":1200}' \\
        --compressed --insecure
      """)
    let (pattern, leftOut) = try curl.pattern()
    #expect(
      pattern
        == RequestPattern(
          methods: [.post], scheme: "https", host: "api.shop.test",
          path: .template("/v1/charges"),
          query: [NamedPattern("expand", .hasExactly(["customer", "card"]))],
          headers: [HeaderPattern(HTTPField.Name("x-tenant") ?? .accept, "7")],
          body: [
            .equalToJSON([
              "note": "it!", "amount": .number(JSONNumber(1200)),
            ])
          ]))
    #expect(leftOut == ["accept", "authorization", "Cookie", "sec-ch-ua", "user-agent"])
  }

  @Test(arguments: [
    "https://ada:pw1@h.test/", "-u ada:pw1 https://h.test/",
    "-H 'Authorization: x' https://ada:pw1@h.test/",
  ])
  func credentialsAreTheFieldThatCurlSendsThemIn(arguments: String) throws {
    #expect(try command("curl " + arguments).pattern().leftOut == ["Authorization"])
  }

  @Test func quotedTextOfOtherShellsIsContent() throws {
    let text = "curl h.test -d '{\"a\": \"^\"}' -d \"use Invoke-WebRequest\" -d 'x^\n^\"'"
    #expect(
      String(decoding: try command(text).content, as: UTF8.self)
        == "{\"a\": \"^\"}&use Invoke-WebRequest&x^\n^\"")
  }

  @Test(.timeLimit(.minutes(10))) func longTextIsCutInLinearTime() throws {
    let count = 300_000
    let letters = String(repeating: "a\\b", count: count)
    #expect(try ShellWords(parsing: letters).commands == [[letters.filter { $0 != "\\" }]])
    let lines = String(repeating: "'x'\n", count: count)
    #expect(try ShellWords(parsing: lines).commands.count == count)
    let octal = "$'" + String(repeating: #"\101"#, count: count) + "'"
    #expect(try ShellWords(parsing: octal).commands == [[String(repeating: "A", count: count)]])
    let variables = (0..<count).map { "$V\($0)" }
    #expect(try ShellWords(parsing: variables.joined(separator: " ")).variables == variables)
  }

  @Test func whatHoldsASecretIsLeftOut() throws {
    let (pattern, leftOut) = try command(
      """
      curl 'https://h.test/a?access_token=t1&page=2&key=0123456789abcdefghij' -H 'X-Password: p' \\
        -H 'X-CSRF-Token: c' -H 'X-Account-Key: k' -H 'X-Signature: s' -H 'X-Sort: up'
      """
    ).pattern()
    #expect(pattern.query == [NamedPattern("page", "2")])
    #expect(pattern.headers == [HeaderPattern(HTTPField.Name("X-Sort") ?? .accept, "up")])
    #expect(
      leftOut == [
        "X-Password", "X-CSRF-Token", "X-Account-Key", "X-Signature",
        "the query parameter access_token", "the query parameter key",
      ])
  }

  static let requests: [(text: String, method: String, url: String, content: String)] = [
    ("curl h.test", "GET", "http://h.test", ""),
    ("$ curl -sSLXPUT https://h.test/a -d x", "PUT", "https://h.test/a", "x"),
    ("A=1 /usr/bin/curl -I https://h.test/#top", "HEAD", "https://h.test/", ""),
    ("curl -d a=1 -d b=2 --url https://h.test", "POST", "https://h.test", "a=1&b=2"),
    (
      "curl -G -d a=1 --data-urlencode 'q=b c&d' https://h.test/s?x=0", "GET",
      "https://h.test/s?x=0&a=1&q=b%20c%26d", ""
    ),
    ("curl --json '{' --json '}' https://h.test", "POST", "https://h.test", "{}"),
    ("curl -d @f https://h.test", "POST", "https://h.test", "12"),
    ("curl --data-binary @f https://h.test", "POST", "https://h.test", "1\n2"),
    ("curl --data-raw @f https://h.test", "POST", "https://h.test", "@f"),
    ("curl -T f https://h.test/f", "PUT", "https://h.test/f", "1\n2"),
    ("curl -d '' https://h.test", "POST", "https://h.test", ""),
    (
      "curl --max-t 3 --no-keepalive -o out https://h.test/v1 | jq .", "GET",
      "https://h.test/v1", ""
    ),
    (
      #"curl 'https://h.test/a?f\[x\]=1&\{b\}=2'"#, "GET", "https://h.test/a?f%5Bx%5D=1&%7Bb%7D=2",
      ""
    ),
    ("curl https://h.test/v1/users/{id}", "GET", "https://h.test/v1/users/{id}", ""),
    ("curl -g 'https://h.test/{id}'", "GET", "https://h.test/%7Bid%7D", ""),
    ("curl --url-query 'a=b c' https://h.test", "GET", "https://h.test?a=b%20c", ""),
    ("curl ^\"https://h.test/a^\" ^\r\n -d ^\"b=^%^25^\"", "POST", "https://h.test/a", "b=%25"),
    ("curl \"https://h.test\" ^\n -v", "GET", "https://h.test", ""),
    ("curl https://h.test -d 'a\rb'\r\n", "POST", "https://h.test", "a\rb"),
    ("curl https://h.test -d ^\"a\rb^\"\r\n", "POST", "https://h.test", "a\rb"),
  ]

  @Test(arguments: requests)
  func optionsSayMethodURLAndContent(
    text: String, method: String, url: String, content: String
  ) throws {
    let curl = try command(text, files: ["f": "1\n2"])
    #expect(curl.method == method)
    #expect(curl.url == url)
    #expect(String(decoding: curl.content, as: UTF8.self) == content)
  }

  @Test func contentIsAPatternOfItsType() throws {
    func body(_ text: String) throws -> [BodyPattern] {
      try command("curl h.test \(text)", files: ["f.png": "PNG"]).pattern().pattern.body
    }
    #expect(
      try body("-d 'a=1&b=x+y&a=2'") == [
        .form([NamedPattern("a", .hasExactly(["1", "2"])), NamedPattern("b", "x y")])
      ])
    #expect(try body("-d '[1]'") == [.equalToJSON([.number(JSONNumber(1))])])
    #expect(try body("--json 1") == [.equalToJSON(.number(JSONNumber(1)))])
    #expect(try body("-H 'Content-Type: text/plain' -d 'a=1'") == [.value("a=1")])
    #expect(
      try body("-F 'note=hi;type=text/plain' -F 'file=@f.png;filename=x.png'") == [
        .multipart([
          PartPattern(name: "note", body: [.value("hi")]),
          PartPattern(name: "file", filename: "x.png", body: [.value("PNG")]),
        ])
      ])
    #expect(try body("-u me:secret -e x -A y") == [])
    #expect(try command("curl -u me:secret h.test").pattern().leftOut == ["Authorization"])
  }

  @Test(arguments: [
    ("wget https://h.test", "a command begins with curl"), ("curl -d 1", "has no URL"),
    ("curl --nope https://h.test", "--nope is not an option of curl"),
    ("curl -! https://h.test", "-! is not an option of curl"),
    ("curl -X", "-X needs a value"), ("curl a.test b.test", "asks for 2 URLs"),
    ("curl a.test; curl b.test", "these are 2 curl commands"),
    ("curl 'https://h.test/[1-3]'", "several URLs"), ("curl 'h.test/{a,b}'", "several URLs"),
    ("curl -d 1 -F a=1 h.test", "curl takes one of them"), ("curl -d @no h.test", "no file no"),
    ("curl -H nonsense h.test", "has no colon"), ("Invoke-WebRequest -Uri x", "copy it as cURL"),
    ("$session = New-Object S\nInvoke-WebRequest -Uri x `\n -A", "copy it as cURL"),
    ("curl -H @loop h.test", "a header field has no colon"),
  ])
  func whatCannotBeReadIsRefusedByName(text: String, message: String) {
    let error = #expect(throws: CurlError.self) { try command(text, files: ["loop": "@loop"]) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  /// A replacement character would be another byte than curl sends.
  @Test func bytesThatAreNotUTF8AreKeptOrRefused() throws {
    func command(_ text: String) throws -> CurlCommand {
      try CurlCommand(parsing: text) { _ in Data([0x61, 0xFF]) }
    }
    let body = try command("curl https://h.test/ --data-binary @f").pattern().pattern.body
    #expect(body == [.binaryEqualTo(Data([0x61, 0xFF]))])
    let encoded = try command("curl -G https://h.test/ --data-urlencode q@f")
    #expect(encoded.url == "https://h.test/?q=a%FF")
    for text in [
      #"curl https://h.test/ -d $'a\xff'"#, "curl https://h.test/ -H @f",
      "curl -G https://h.test/ -d @f",
    ] {
      #expect(throws: CurlError.self) { try command(text) }
    }
  }
}
