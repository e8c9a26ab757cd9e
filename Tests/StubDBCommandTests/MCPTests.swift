import Foundation
import StubDBDocuments
import StubDBJSON
import Testing

/// `stubdb mcp`, over its input and output.
struct MCPTests {
  /// What the program answers to lines, and the end of the input.
  private func answers(
    to lines: [String], in box: Sandbox, writing: Bool = false
  ) throws -> [JSONValue] {
    let input = lines.map { $0 + "\n" }.joined()
    let options = writing ? ["--allow-writes"] : []
    let result = try box.run(
      executable: Sandbox.binary, arguments: ["mcp"] + options, input: input)
    #expect(result.code == 0)
    #expect(result.err == "")
    return try result.out.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  private func call(_ tool: String, _ arguments: String, id: Int = 1) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  /// The result of one call.
  private func result(
    _ tool: String, _ arguments: String, in box: Sandbox, writing: Bool = false
  ) throws -> JSONValue {
    let answer = try #require(
      try answers(to: [call(tool, arguments)], in: box, writing: writing).first)
    return try #require(answer["result"])
  }

  private func text(of result: JSONValue) -> String {
    guard case .array(let content)? = result["content"],
      case .string(let text)? = content.first?["text"]
    else { return "" }
    return text
  }

  @Test(arguments: [
    // Both eras, and what is neither.
    (
      #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      "/result/protocolVersion", "\"2025-06-18\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
      "/result/protocolVersion", "\"2025-11-25\""
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "/result", "{}"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
      "/result/supportedVersions/0", "\"2026-07-28\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
      "/result/resultType", "\"complete\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}"#,
      "/error/code", "-32022"
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, "/error/code", "-32601"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#, "/error/code",
      "-32602"
    ),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "/error/code", "-32600"),
    // A batch, as a client of 2025-03-26 sends it.
    (
      #"[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":1,"method":"ping"},7]"#,
      "",
      #"[{"id":1,"jsonrpc":"2.0","result":{}},{"error":{"code":-32600,"message":"a message is a JSON object"},"id":null,"jsonrpc":"2.0"}]"#
    ),
    ("[]", "/error/code", "-32600"),
    (#"{"id":1}"#, "/error/code", "-32600"),
    ("{", "/error/code", "-32700"),
  ])
  func everyMessageGetsItsAnswer(message: String, pointer: String, value: String) throws {
    let answers = try answers(to: [message], in: Sandbox.shop())
    #expect(answers.count == 1)
    let place = try #require(JSONPointer(parsing: pointer))
    #expect(answers.first?.value(at: place)?.canonicalText == value)
  }

  @Test func whatAsksForNoAnswerGetsNone() throws {
    let lines = [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "", "\r",
      #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
      #"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
      #"{"jsonrpc":"2.0","id":8,"method":"ping"}"#,
    ]
    let answers = try answers(to: lines, in: Sandbox.shop())
    #expect(answers == [["jsonrpc": "2.0", "id": 8, "result": [:]]])
  }

  @Test func aLineThatIsTooLongIsRefusedAndTheNextOneIsRead() throws {
    let long = String(repeating: " ", count: 65 << 20)
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let answers = try answers(to: [long, ping], in: Sandbox.shop())
    #expect(answers.map { $0["error"]?["code"] } == [-32600, nil])
  }

  @Test func toolsThatWriteAreListedOnlyIfAllowed() throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    func names(writing: Bool) throws -> [JSONValue?] {
      let answer = try answers(to: [list], in: Sandbox.shop(), writing: writing)[0]
      guard case .array(let tools)? = answer["result"]?["tools"] else { return [] }
      return tools.map { $0["name"] }
    }
    let reading: [JSONValue?] = [
      "list_scenarios", "show_scenario", "search", "match", "check", "schema",
    ]
    #expect(try names(writing: false) == reading)
    #expect(try names(writing: true) == reading + ["put_stub", "put_scenario", "remove_stub"])
    let refused = try result("remove_stub", #"{"scenario":"a/b","key":"c"}"#, in: Sandbox.shop())
    #expect(refused["isError"] == true)
    #expect(text(of: refused).contains("--allow-writes"))
  }

  @Test func matchSaysWhatTheCommandSays() throws {
    let box = try Sandbox.shop()
    for url in ["https://api.shop.test/v1/charges", "https://api.shop.test/v1/charge"] {
      let said = try box.run("match", "checkout/paid", "POST", url, "--json")
      let result = try result(
        "match", #"{"scenario":"checkout/paid","method":"POST","url":"\#(url)"}"#, in: box)
      #expect(try result["structuredContent"] == JSONValue(parsing: said.out))
    }
  }

  @Test(arguments: [
    ("match", #"{"scenario":"checkout/piad","url":"https://a.test/"}"#, "mean checkout/paid?"),
    ("match", #"{"scenario":"checkout/paid","url":"v1"}"#, "is neither a URL"),
    ("match", #"{"scenario":"checkout/paid"}"#, "do not fit its schema"),
    ("show_scenario", #"{"scenario":"checkout/paid","key":"x"}"#, "there is no stub \"x\""),
    ("list_scenarios", #"{"prefix":1}"#, "/prefix"),
    (
      "search", #"{"text":"\#(String(repeating: "x", count: 5_000))"}"#,
      "at most 4096 bytes, and this one has 5000"
    ),
    ("put_stub", #"{"scenario":"a/b","stub":{"request":{"methd":"GET"}}}"#, "/stub/request/methd"),
    (
      "put_stub", #"{"scenario":"a/b","stub":{"request":{"body":{"matches":"("}}}}"#,
      "/stub/request/body/matches"
    ),
    ("put_stub", #"{"scenario":"checkout/paid","stub":{"key":"charge"}}"#, #"add "replace": true"#),
    ("put_scenario", #"{"document":{"scenario":"checkout/paid","stubs":[]}}"#, "already exists"),
    (
      "put_scenario", #"{"document":{"scenario":"a/b","includes":["no/such"]}}"#,
      "there is no scenario no/such"
    ),
  ])
  func whatTheCallerDidWrongIsAResult(tool: String, arguments: String, part: String) throws {
    let box = try Sandbox.shop()
    let before = try box.run("show", "checkout/paid", "--json").out
    let result = try result(tool, arguments, in: box, writing: true)
    #expect(result["isError"] == true)
    #expect(text(of: result).contains(part), "\(text(of: result))")
    #expect(try box.run("show", "checkout/paid", "--json").out == before)
  }

  @Test func secretsAreWrittenOnlyIfTheCallSaysSo() throws {
    let box = try Sandbox.shop()
    // Put together here, so that no tool that looks for tokens finds one in this file.
    let token = "ghp_" + "q8WmZ3xTfP0sLk7RvB2nYd5HjC9aGe4UoI1t"
    let stub = #"{"key":"me","responses":[{"json":{"access_token":"\#(token)"}}]}"#
    let calls = [
      ("put_stub", #""scenario":"checkout/paid","stub":\#(stub)"#, "/stub"),
      (
        "put_scenario", #""document":{"scenario":"a/b","stubs":[\#(stub)]}"#, "/document/stubs/0"
      ),
    ]
    for (tool, arguments, place) in calls {
      let refused = try result(tool, "{\(arguments)}", in: box, writing: true)
      #expect(refused["isError"] == true)
      #expect(
        text(of: refused).contains("\(place)/responses/0/json/access_token: this is a secret"))
      #expect(!text(of: refused).contains(token))
      let written = try result(
        tool, #"{\#(arguments),"allow_secrets":true}"#, in: box, writing: true)
      #expect(written["isError"] == false, "\(written)")
    }
  }

  @Test func aStubWithoutAKeyIsNumberedAndOneThatNeverAnswersIsRefusedAsByAdd() throws {
    let box = try Sandbox.shop()
    func put(_ url: String, _ more: String = "") -> String {
      call(
        "put_stub",
        #"{"scenario":"a/b","stub":{"request":{"method":"GET","url":"\#(url)"}}\#(more)}"#)
    }
    let page = "https://a.test/x?page="
    let results = try answers(
      to: [
        put(page + "1"), put(page + "2"), put(page + "2"),
        put(page + "2", #","replace":true"#), put(page + "3", #","replace":true"#),
      ], in: box, writing: true
    ).map { $0["result"] }
    let contents = results.map { $0?["structuredContent"] }
    #expect(contents.map { $0?["key"] } == ["get-x", "get-x-2", nil, "get-x-2", "get-x-3"])
    #expect(contents[3]?["replaced"] == true && contents[4]?["replaced"] == false)
    #expect(results[2].map(text)?.contains("\"get-x-2\" of a/b comes first") == true)
  }

  @Test func whatIsWrittenAnswersAtOnce() throws {
    let box = try Sandbox.shop()
    let lines = [
      call(
        "put_stub",
        #"{"scenario":"a/b","stub":{"request":{"method":"GET","url":"https://a.test/x"}}}"#),
      call("match", #"{"scenario":"a/b","url":"https://a.test/x"}"#),
      call("remove_stub", #"{"scenario":"a/b","key":"get-x"}"#),
      call("match", #"{"scenario":"a/b","url":"https://a.test/x"}"#),
    ]
    let results = try answers(to: lines, in: box, writing: true)
      .map { $0["result"]?["structuredContent"] }
    #expect(results.map { $0?["matched"] } == [nil, true, nil, false])
    #expect(results[0]?["key"] == "get-x")
  }
}

extension JSONValue {
  fileprivate subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }
}
