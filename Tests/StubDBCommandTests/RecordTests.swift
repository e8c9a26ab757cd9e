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
    ("--proxy --mode some", "it is once, newEpisodes, all or none"),
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
