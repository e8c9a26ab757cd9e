#if os(Linux)
  import Foundation
  import StubDB
  import StubDBTestSupport
  import StubDBTesting
  import StubDBTestingRecording
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A test run that records, the review of what it recorded, and the same run again without a network.
  @Suite struct RecordedTestRunTests {
    /// Signs in with a password and with a stored token, and answers nothing but what belongs to them.
    private static func answer(_ request: LoopbackServer.Request) -> String {
      let target = request.line.split(separator: " ")[1]
      let content = String(decoding: request.body, as: UTF8.self)
      let text: String
      switch target {
      case "/token" where content.contains("refresh_token=\(TestedClient.storedToken)"):
        text = #"{"access_token":"q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"}"#
      case "/session" where content.contains(TestedClient.password):
        text = #"{"user":"Ada","session_token":"t3Yw8Qk5Rn2Zx7Lb4Vm9Hc6J"}"#
      case "/items?access_token=q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s&page=1": text = #"["apple"]"#
      case "/items?access_token=q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s&page=2": text = #"["pear"]"#
      default: return "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
      }
      return
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
        + text
    }

    /// The environment asks for the recording, or the trait does; either way nobody edits the test for the replay.
    @Test(arguments: [["STUBDB_RECORD": "new-episodes"], ["STUBDB_RECORD": "all"], [:]])
    func whatATestRunRecordedIsTakenAndAnswersItWithoutTheNetwork(
      environment: [String: String]
    ) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("shop.stubdb")
        _ = try Catalog.create(at: file)
        let server = try LoopbackServer(Self.answer)
        let recorded = try TestedClient.test("TestedClientTests", file, server.url(""), environment)
        #expect(recorded.code == 0, "\(recorded.text)")
        #expect(recorded.text.contains("To see and accept them: stubdb review"))
        #expect(server.requests.count == 4)

        let shown = try TestedClient.stubdb("review", in: folder)
        #expect(shown.code == 2)
        for place in ["/body/refresh_token", "/body/password"] {
          #expect(
            shown.text.contains(
              "\(place) free: the client had the secret before an answer gave it"),
            "\(shown.text)")
        }
        // The token of the answer is what the next requests send.
        #expect(!shown.text.contains("/query/access_token free"))
        for secret in [TestedClient.storedToken, TestedClient.password, "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"]
        {
          #expect(!shown.text.contains(secret))
        }
        let taken = try TestedClient.stubdb("review", "--accept-all", in: folder)
        #expect(taken.code == 0, "\(taken.text)")
        let checked = try TestedClient.stubdb("check", in: folder)
        #expect(checked.code == 0, "\(checked.text)")

        let replayed = try TestedClient.test("TestedClientTests", file, server.url(""), ["CI": "1"])
        #expect(replayed.code == 0, "\(replayed.text)")
        #expect(server.requests.count == 4)
      }
    }
  }

  /// The tests that another process runs; without its environment they do nothing.
  @Suite(.enabled(if: TestedClient.catalog != nil), .catalog(TestedClient.catalog ?? "none"))
  struct TestedClientTests {
    private func send(_ path: String, _ content: String? = nil, type: String = "") async throws
      -> Data
    {
      var request = URLRequest(url: try #require(URL(string: TestedClient.server + path)))
      if let content {
        request.httpMethod = "POST"
        request.httpBody = Data(content.utf8)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
      }
      let (data, response) = try await URLSession.stubbed.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      return data
    }

    @Test(.scenario("client/pages", record: .newEpisodes))
    func aStoredTokenGivesAnotherThatReadsEachPage() async throws {
      let answer = try await send(
        "/token", "grant_type=refresh_token&refresh_token=\(TestedClient.storedToken)",
        type: "application/x-www-form-urlencoded")
      let token =
        try JSONDecoder().decode([String: String].self, from: answer)["access_token"] ?? ""
      for (page, fruit) in [(1, "apple"), (2, "pear")] {
        let items = try await send("/items?access_token=\(token)&page=\(page)")
        #expect(try JSONDecoder().decode([String].self, from: items) == [fruit])
      }
    }

    @Test(.scenario("client/session", record: .newEpisodes))
    func aPasswordSignsIn() async throws {
      let answer = try await send(
        "/session", #"{"user":"ada","password":"\#(TestedClient.password)"}"#,
        type: "application/json")
      #expect(try JSONDecoder().decode([String: String].self, from: answer)["user"] == "Ada")
    }
  }
#endif
