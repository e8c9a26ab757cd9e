import StubDBTestSupport
import Testing

struct ServeTests {
  #if Server
    /// Starts a server in a shell, and runs commands that find its address in `$url`.
    static func serving(_ arguments: String, _ commands: String) -> String {
      """
      mkfifo line
      stubdb serve \(arguments) > line 2> log &
      read -r listening < line
      url=${listening#Listening on }
      \(commands)
      kill $!
      wait $!
      """
    }

    @Test func aScenarioAnswersCurlUntilItIsInterrupted() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "checkout/paid --port 0 --log text",
          """
          echo "${listening%:*}"
          curl -s -d '{"amount": 1200}' -w ' %{http_code}\\n' "$url/v1/charges"
          curl -s -o unmatched -w '%{http_code}\\n' "$url/nowhere"
          """))
      #expect(result.code == 0, "\(result)")
      let lines = result.out.split(separator: "\n")
      try #require(lines.count == 3, "\(result)")
      #expect(lines[0] == "Listening on http://127.0.0.1")
      #expect(lines[1] == #"{"error":"card_declined"} 402"#)
      #expect(lines[2] == "404")
      #expect(try box.read("unmatched").hasPrefix("No stub of scenario \"checkout/paid\" answers"))
      let log = try box.read("log").split(separator: "\n")
      try #require(log.count == 3)
      #expect(log[0].hasPrefix("The page: http://127.0.0.1:") && log[0].hasSuffix("/__stubdb/"))
      #expect(log[1].contains(" POST /v1/charges 402 charge "))
      #expect(log[2].contains(" GET /nowhere 404 ") && log[2].contains("no stub answers"))
    }

    @Test func theSettingsOfACatalogSayWhichDayItIs() throws {
      let box = try Sandbox.shop()
      try box.must(
        "add", "a/due", "--url", "https://api.shop.test/v1/due", "--recorded", "2026-11-21",
        "--json", #"{"due":"2026-11-28"}"#)
      try box.write(".stubdb-settings.json", #"{"defaults": {"today": "2027-02-28"}}"#)
      for (option, due) in [("", "2027-03-07"), ("--today 2026-11-22", "2026-11-29")] {
        let result = try box.shell(
          Self.serving("a/due --port 0 --log none \(option)", "curl -s \"$url/v1/due\""))
        #expect(result.out == #"{"due":"\#(due)"}"#, "\(result)")
      }
    }

    @Test func theURLOfAllAddressesCanBeOpened() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "checkout/paid --host 0.0.0.0 --port 0 --log none",
          """
          echo "${listening%:*}"
          curl -s -o answer -d '{"amount": 1200}' -w '%{http_code}\\n' "$url/v1/charges"
          """))
      #expect(result.out == "Listening on http://127.0.0.1\n402\n", "\(result)")
      #expect(try box.read("log").hasPrefix("It listens on all addresses of this machine, "))
    }

    @Test func scenariosLieOnTopAndPagesAreKeptOut() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "session/signed-in --overlay checkout/paid --pace instant --no-cors --port 0 --log none",
          """
          curl -s -d '{"amount": 1200}' -H 'Origin: http://a.test' -D head "$url/v1/charges"
          echo; curl -s "$url/v1/me"; echo
          curl -s "$url/__stubdb/sessions/default" | tr -d ' \\n' \\
            | grep -oE '"overlays":[^]]*.,"pace":"[a-z]*"|"cors":[a-z]*'
          """))
      #expect(
        result.out == """
          {"error":"card_declined"}
          Ada
          "overlays":["checkout/paid"],"pace":"instant"
          "cors":false

          """, "\(result)")
      #expect(try !box.read("head").lowercased().contains("access-control"))
      #expect(try box.read("log") == "")
    }

    @Test func theLogCanBeJSON() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving("checkout/paid --port 0 --log json", "curl -s -o /dev/null \"$url/nowhere\""))
      #expect(result.code == 0, "\(result)")
      let line = try box.read("log")
      #expect(line.hasPrefix(#"{"durationMs":"#) && line.contains(#""status":404,"#))
      #expect(line.contains(#""session":"default","status":404,"#))
      try firstMatch(of: /"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, in: line)
      #expect(line.contains(#""unmatched":true,"url":"/nowhere"}"#))
    }

    @Test(arguments: [
      ("json", #""requestBody":"{\"amount\": 1200}","requestBytes":16,"#),
      ("json", #""requestHeaders":[["#), ("json", #"["X-A","b"]"#),
      ("json", #""responseBody":"{\"error\":\"card_declined\"}","responseBytes":25,"#),
      ("text", "\n  > X-A: b\n"), ("text", "\n  > {\"amount\": 1200}\n"),
      ("text", "\n  < {\"error\":\"card_declined\"}\n"),
    ])
    func contentsAreInTheLogIfAsked(form: String, part: String) throws {
      let box = try Sandbox.shop()
      let ask = "curl -s -o /dev/null -H 'X-A: b' -d '{\"amount\": 1200}' \"$url/v1/charges\""
      _ = try box.shell(
        Self.serving("checkout/paid --port 0 --log \(form) --log-bodies", ask))
      let log = try box.read("log")
      #expect(log.contains(part), "\(log)")
      _ = try box.shell("rm line")
      _ = try box.shell(Self.serving("checkout/paid --port 0 --log \(form)", ask))
      #expect(try !box.read("log").contains(part))
    }

    @Test func answersSayWhereTheyComeFromIfAsked() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "checkout/paid --port 0 --explain",
          "curl -s -o /dev/null -D - -d '{\"amount\": 1200}' \"$url/v1/charges\""))
      #expect(result.out.contains("StubDB-Scenario: checkout/paid\r\nStubDB-Stub: charge\r\n"))
    }

    @Test func thePlaceItListensIsPrintedAsJSON() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        """
        mkfifo line
        stubdb serve checkout/paid --port 0 --json > line &
        read -r place < line
        echo "$place"
        case $place in *"\\"pid\\":$!,"*) kill $! ;; esac
        wait $!
        """)
      #expect(result.code == 0, "\(result)")
      let port = result.out.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
      #expect(result.out.hasPrefix(#"{"adminURL":"http://127.0.0.1:\#(port)/__stubdb/","pid":"#))
      #expect(result.out.hasSuffix(#","url":"http://127.0.0.1:\#(port)"}"# + "\n"), "\(result)")
    }

    @Test func aSessionIsMadeAndEndedByCurl() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "--port 0 --listen 0=checkout/paid",
          """
          base=$(curl -s -H 'Content-Type: application/json' -d '{"scenario": "session/signed-in"}' \\
            "$url/__stubdb/sessions" | sed -n 's/.*"baseURL": "\\(.*\\)",/\\1/p')
          curl -s "$base/v1/me"; echo
          curl -s -o /dev/null -w '%{http_code}\\n' "$base/v1/you"
          curl -s -X DELETE "$url/__stubdb/sessions/${base##*~}" | grep -c unmatchedRequest
          curl -s -o /dev/null -w '%{http_code}\\n' "$url/v1/me"
          further=$(sed -n 's/^checkout.paid listens on //p' log)
          curl -s -d '{"amount": 1200}' -o /dev/null -w '%{http_code}\\n' "$further/v1/charges"
          curl -s -o /dev/null -X POST "$url/__stubdb/shutdown"
          wait $!
          """))
      #expect(result.out == "Ada\n404\n1\n404\n402\n", "\(result)")
    }

    #if TLS
      @Test func aScenarioAnswersOverTLS() throws {
        let box = try Sandbox.shop()
        let result = try box.shell(
          Self.serving(
            "checkout/paid --port 0 --tls",
            """
            echo "${listening%:*}"
            ca=$(stubdb ca path)
            curl -s --cacert "$ca" -d '{"amount": 1200}' -w ' %{http_version}\\n' "$url/v1/charges"
            curl -s --cacert "$ca" "$url/__stubdb/ca.pem" | cmp - "$ca"
            """))
        #expect(result.code == 0, "\(result)")
        #expect(
          result.out == """
            Listening on https://127.0.0.1
            {"error":"card_declined"} 2

            """, "\(result)")
        #expect(try box.read("log").contains("Made a certificate authority: "))
      }

      @Test func aCertificateThatIsNotThereIsAnError() throws {
        let result = try Sandbox.shop().run(
          "serve", "checkout/paid", "--cert", "cert.pem", "--key", "key.pem")
        #expect(result.code == 1)
        #expect(result.err.contains("/cert.pem that can be read"), "\(result)")
      }
    #else
      @Test func aBuildWithoutTLSSaysHowToGetIt() throws {
        let result = try Sandbox.shop().run("serve", "checkout/paid", "--tls")
        #expect(result.code == 1 && result.out == "")
        #expect(result.err.contains("  scripts/install ~/.local\n"))
      }
    #endif

    @Test func aPortThatIsTakenEndsIt() throws {
      let box = try Sandbox.shop()
      let result = try box.shell(
        Self.serving(
          "checkout/paid --port 0",
          "stubdb serve checkout/paid --port ${url##*:} 2> taken; echo $?"))
      #expect(result.out == "1\n")
      #expect(try box.read("taken").contains("another program does; choose another --port, or 0"))
    }
  #else
    @Test func aBuildWithoutTheServerSaysHowToGetIt() throws {
      let result = try Sandbox.shop().run("serve", "checkout/paid")
      #expect(result.code == 1 && result.out == "")
      #expect(result.err.contains("  scripts/install ~/.local\n"))
    }
  #endif

  @Test(arguments: [
    (["--port", "70000"], "--port is a number from 0 to 65535"),
    (["--max-body", "1 TB"], "write it as 65536, 64KiB, 64MiB or 1GiB"),
    (["--idle-timeout", "0s"], "it must be longer than nothing, such as 10s"),
    (["--idle-timeout", "soon"], "write it as 500ms, 10s or 1m"),
    (["--unmatched", "99"], "it is a status from 200 to 599, or passthrough"),
    (["--unmatched", "passthrough"], "--allow-passthrough allows it"),
    (["--log", "xml"], "text"),
    (["--cert", "cert.pem"], "--cert and --key belong together"),
    (["--tls", "--cert", "cert.pem", "--key", "key.pem"], "choose either"),
    (["--listen", "checkout/paid"], "write it as 8081=checkout/paid"),
    (["--admin-port", "70000"], "--admin-port is a number from 0 to 65535"),
    (["--pace", "fast"], "write it as real, instant, or a factor such as 0.1"),
  ])
  func anArgumentThatMeansNothingIsAUsageError(_ arguments: [String], _ message: String) throws {
    let box = try Sandbox.shop()
    let result = try box.run(
      executable: Sandbox.binary, arguments: ["serve", "checkout/paid"] + arguments)
    #expect(result.code == 64, "\(result)")
    #expect(result.err.contains(message), "\(result)")
  }
}
