import Foundation
import StubDBTestSupport
import Testing

struct RecordTests {
  @Test func nothingIsRecordedInContinuousIntegration() throws {
    let box = try Sandbox.shop()
    let result = try box.shell("CI=true stubdb record a/b --reverse https://api.shop.test")
    #expect(result.code == 1, "\(result)")
    #expect(result.err.contains("nothing is recorded where CI is set"))
    #expect(result.err.contains("--allow-ci"))
  }

  @Test(arguments: [
    ("", "Say how requests get here"), ("--reverse https://a.test --proxy", "exclude each other"),
    ("--proxy --mode some", "it is once, new-episodes, all or none"),
    ("--reverse https://a.test --all-hosts", "are for a proxy"),
  ])
  func contradictionsAreRefused(arguments: String, message: String) throws {
    let box = try Sandbox.shop()
    let result = try box.shell("stubdb record a/b --allow-ci \(arguments)")
    #expect(result.code == 64 && result.err.contains(message), "\(result)")
  }

  #if TLS
    /// Starts a server in a shell, and runs commands that find its address in `$url`.
    private static func serving(_ commands: String) -> String {
      """
      export XDG_CONFIG_HOME=$PWD/settings
      mkfifo line
      stubdb serve checkout/paid --port 0 > line 2> log &
      server=$!
      read -r listening < line
      url=${listening#Listening on }
      \(commands)
      kill $server
      """
    }

    @Test func aCommandIsRecordedAndItsExitCodePassedOn() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          """
          stubdb record copy/paid --allow-ci --reverse "$url" -- \\
            sh -c 'curl -s -d "{\\"amount\\": 1200}" "$STUBDB_URL/v1/charges"; exit 7'
          echo " $?"
          stubdb review --failed
          """))
      #expect(
        result.out.hasPrefix("{\"error\":\"card_declined\"} 7\n~ copy/paid (a new scenario)\n"),
        "\(result)")
      #expect(result.err.contains("Recorded 1 request into shop.stubdb.draft.\n"), "\(result)")
      #expect(result.err.contains("although the command failed: stubdb review --failed\n"))
    }

    @Test func aCommandGetsTheProxyByItsEnvironment() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          """
          url=http://localhost:${url##*:}
          stubdb record copy/paid --allow-ci --record-host localhost -- \\
            sh -c "curl -s -d '{\\"amount\\": 1200}' $url/v1/charges; grep -c BEGIN \\$SSL_CERT_FILE"
          stubdb review --accept-all && stubdb list copy/
          """))
      let lines = result.out.split(separator: "\n")
      #expect(lines.first?.hasPrefix(#"{"error":"card_declined"}"#) == true, "\(result)")
      #expect(lines.last?.hasPrefix("copy/paid") == true, "\(result)")
      #expect(result.err.contains("Recorded 1 request into shop.stubdb.draft.\n"), "\(result)")
    }

    @Test func aSignalEndsItAndTheNextCommandIsNamed() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          """
          mkfifo line2
          stubdb record copy/paid --allow-ci --reverse "$url" --port 0 > line2 2> notes &
          read -r listening < line2
          curl -s -o /dev/null "${listening#Listening on }/v1/me"
          kill -TERM $! && wait $!
          """))
      #expect(result.code == 0, "\(result)")
      let notes = try box.read("notes")
      #expect(notes.contains("Recorded 1 request into shop.stubdb.draft.\n"), "\(notes)")
      #expect(notes.hasSuffix("To see and accept it: stubdb review\n"), "\(notes)")
    }

    @Test func aPortThatIsMissingIsNoOtherServer() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        "stubdb record a/b --allow-ci --reverse http://127.0.0.1:$PORT -- true")
      #expect(result.code == 64 && result.err.contains("is not an origin"), "\(result)")
    }

    @Test func aCommandThatCallsAnotherAddressIsToldTheRightOne() throws {
      let box = try Sandbox.shop()
      let reverse = try box.shell(
        "export XDG_CONFIG_HOME=$PWD/settings; "
          + "stubdb record copy/paid --allow-ci --reverse http://127.0.0.1:9 -- true")
      let said = reverse.err.replacing(/:\d{4,5}/, with: ":PORT")
      #expect(
        said
          == "Nothing was recorded, because no request came. The command has to call http://127.0.0.1:PORT, its "
          + "$STUBDB_URL, in place of http://127.0.0.1:9.\n", "\(reverse)")
      let proxy = try box.shell(
        "export XDG_CONFIG_HOME=$PWD/settings; "
          + "stubdb record copy/paid --allow-ci --record-host api.shop.test -- true")
      #expect(
        proxy.err.contains("as the proxy, which is in its $http_proxy and $https_proxy.\n"),
        "\(proxy)")
    }

    @Test func theHostsOfStubsAreLookedIntoOnThisMachineToo() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          """
          stubdb add local/me --key me --method GET --url "$url/v1/me" --text stubbed 2> added
          stubdb record local/me --allow-ci --mode none -- curl -s "$url/v1/me"
          echo
          stubdb record local/me --allow-ci -- \\
            sh -c "curl -s $url/v1/me; curl -s -o /dev/null -d '{\\"amount\\": 1200}' $url/v1/charges"
          """))
      #expect(result.out == "stubbed\nstubbed", "\(result)")
      #expect(result.err.contains("Nothing was recorded, because the mode is none.\n"), "\(result)")
      #expect(result.err.contains("Recorded 1 request into shop.stubdb.draft.\n"), "\(result)")
    }

    @Test func eachPageOfAnAnswerIsRecordedAndPlayed() throws {
      let box = try Sandbox.shop()
      let script = """
        import http.server
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                content = ('{"asked": "%s"}' % self.path).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            def log_message(self, *arguments): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        server.timeout = 60
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        for _ in range(3): server.handle_request()
        """
      try box.write("server.py", script)
      let result = try box.shell(
        """
        export XDG_CONFIG_HOME=$PWD/settings
        mkfifo line
        python3 server.py > line &
        read -r url < line
        for pages in "1 2" "2 3"; do
          stubdb record shop/list --allow-ci --reverse "$url" -- \\
            sh -c "for page in $pages; do curl -s \"\\$STUBDB_URL/items?page=\\$page\"; echo; done"
          stubdb review --accept-all
        done
        for page in 1 2 3; do stubdb match shop/list GET "$url/items?page=$page" | grep asked; done
        stubdb match shop/list GET "$url/items?delete=all" > other; echo $?
        """)
      let asked = [1, 2, 2, 3, 1, 2, 3].map { #""/items?page=\#($0)""# }
      let lines = result.out.split(separator: "\n")
      #expect(lines.count == 8 && lines.last == "2", "\(result)")
      for (line, target) in zip(lines, asked) { #expect(line.contains(target), "\(result)") }
    }

    @Test func aProxyNeedsHosts() throws {
      let box = try Sandbox()
      let result = try box.shell(
        "stubdb init shop.stubdb; stubdb record a/b --allow-ci --proxy --port 0")
      #expect(result.code == 64, "\(result)")
      #expect(result.err.contains("--record-host api.shop.test, or use --all-hosts"))
    }
  #else
    @Test func aBuildWithoutTLSSaysHowToGetIt() throws {
      let box = try Sandbox.shop()
      let result = try box.shell("stubdb record a/b --allow-ci --reverse https://api.shop.test")
      #expect(result.code == 1 && result.err.contains("scripts/install"), "\(result)")
    }
  #endif
}
