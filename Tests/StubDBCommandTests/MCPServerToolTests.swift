import StubDBDocuments
import StubDBJSON
import StubDBTestSupport
import Testing

/// The tools of `stubdb mcp` that ask a server which runs.
struct MCPServerToolTests {
  private static func call(_ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  #if Server
    /// What the program answers while a server of `checkout/paid` runs, whose address is in `$url`.
    private func answers(_ commands: String, serving options: String = "") throws -> [JSONValue] {
      let box = try Sandbox.shop()
      let result = try box.shell(
        """
        mkfifo line
        stubdb serve checkout/paid --port 0 \(options) > line 2> log &
        read -r listening < line
        url=${listening#Listening on }
        \(commands)
        kill $!
        wait $!
        """)
      return try result.out.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test func anAssistantStartsASessionAndSeesWhatWasAsked() throws {
      let ask = "stubdb mcp --server \"$url/__stubdb/\""
      let answers = try answers(
        """
        made=$(echo '\(Self.call("start_session", #"{"scenario":"session/signed-in","name":"a b"}"#))' | \(ask))
        echo "$made"
        base=${made##*\\"baseURL\\":\\"}; base=${base%%\\"*}; id=${base##*~}
        curl -s -o /dev/null "$base/v1/me"
        curl -s -o /dev/null -H 'Authorization: Bearer abc' "$base/v1/you?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789"
        echo '\(Self.call("journal", #"{"session":"ID"}"#))' | sed "s/ID/$id/" | \(ask)
        echo '\(Self.call("journal", #"{"session":"ID","matched":true}"#))' | sed "s/ID/$id/" | \(ask)
        echo '\(Self.call("journal", #"{"session":"ID","number":2}"#))' | sed "s/ID/$id/" | STUBDB_SERVER=$url stubdb mcp
        echo '\(Self.call("journal", #"{"session":"none"}"#))' | \(ask)
        """)
      try #require(answers.count == 5)
      func value(_ index: Int, _ pointer: String) throws -> JSONValue? {
        answers[index].value(at: try #require(JSONPointer(parsing: "/result" + pointer)))
      }
      #expect(try value(0, "/structuredContent/scenario") == "session/signed-in")
      #expect(try value(0, "/structuredContent/name") == "a b")
      #expect(try value(1, "/structuredContent/events/0/key") == "me")
      #expect(try value(1, "/structuredContent/events/1/matched") == false)
      #expect(try value(2, "/structuredContent/events/0/number") == 1)
      #expect(try value(2, "/structuredContent/events/1") == nil)
      let one = try #require(try value(3, "/structuredContent")).canonicalText
      #expect(one.contains(#""part":"path""#), "\(one)")
      // No header fields, and no secrets of the URL.
      #expect(!one.contains("Bearer") && !one.contains("ghp_abc"), "\(one)")
      #expect(try value(4, "/isError") == true)
      #expect(
        try value(4, "/content/0/text")?.canonicalText.contains("There is no session") == true)
    }

    @Test func aTokenGoesAlong() throws {
      let journal = Self.call("journal", "{}")
      let answers = try answers(
        """
        echo '\(journal)' | stubdb mcp --server "$url"
        echo '\(journal)' | stubdb mcp --server "$url" --token secret
        echo '\(journal)' | STUBDB_TOKEN=secret stubdb mcp --server "$url"
        """, serving: "--token secret")
      let errors = answers.map { $0.value(at: JSONPointer(["result", "isError"])) }
      #expect(errors == [true, false, false])
    }
  #endif

  @Test(arguments: [
    ("http://10.0.0.1:8080", "there is no token"),
    ("http://localhost.evil.test", "there is no token"),
    ("http://127.0.0.1.evil.test", "there is no token"),
    ("https://localhost", "not an address such as"),
    ("localhost:8080", "not an address such as"),
    ("http://localhost:70000", "not an address such as"),
  ])
  func onlyThisMachineIsAskedWithoutAToken(address: String, message: String) throws {
    let result = try Sandbox.shop().run("mcp", "--server", address)
    #expect(result.code == 1 && result.err.contains(message), "\(result)")
  }

  @Test func withoutAServerTheToolsSayWhatIsMissing() throws {
    let box = try Sandbox.shop()
    let unknown = try box.run(
      executable: Sandbox.binary, arguments: ["mcp"], input: Self.call("journal", "{}") + "\n")
    #expect(unknown.out.contains("was started with --server"), "\(unknown)")
    // Nothing listens on port 1.
    let gone = try box.run(
      executable: Sandbox.binary, arguments: ["mcp", "--server", "http://127.0.0.1:1"],
      input: Self.call("start_session", "{}") + "\n")
    #expect(gone.out.contains("cannot connect to 127.0.0.1:1"), "\(gone)")
  }
}
