import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSecrets
import StubDBServing
import StubDBTransfer
import Testing

struct ImportJobTests {
  private static let secrets = ["rT5nW8kQ2vZ7mB4xL9cJ6hYd", "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"]
  private static let form = "grant_type=refresh_token&refresh_token="

  private static func entry(
    _ method: String, _ url: String, form: String? = nil, _ answer: String, status: Int = 200
  ) -> String {
    let content = form.map {
      #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\#($0)"}"#
    }
    return #"""
      {"request": {"method": "\#(method)", "url": "https://api.shop.test\#(url)", "headers": []\#(content ?? "")},
       "response": {"status": \#(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
         "content": {"mimeType": "application/json", "text": \#(answer)}}}
      """#
  }

  /// Prepares the import of a recording into a catalog.
  private static func prepared(
    _ entries: [String], into catalog: Catalog, settings: ImportJob.Settings,
    allowsSecrets: Bool = false, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> (job: ImportJob, content: ImportJob.Prepared) {
    var options = ImportOptions()
    change(&options)
    let url = ExceptionsFile.url(beside: catalog.url)
    let job = ImportJob(
      into: catalog, options: options, settings: settings,
      exceptions: allowsSecrets ? nil : try ExceptionsFile(at: url, named: "exceptions"))
    let text =
      #"{"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": ["#
      + entries.joined(separator: ",") + "]}}"
    let log = ReportLog()
    let input = try ImportInput(
      file: "shop.har", path: ["shop"], bytes: Data(text.utf8), log: log)
    return (job, try job.prepare([input], log: log))
  }

  private static func settings(
    redacts: Bool = true, isStrict: Bool = false, replaces: Bool = false
  ) -> ImportJob.Settings {
    var settings = ImportJob.Settings()
    (settings.redacts, settings.isStrict, settings.replaces) = (redacts, isStrict, replaces)
    return settings
  }

  private static func player(_ catalog: Catalog) throws -> Player {
    Player(try catalog.load("shop"), options: PlaybackOptions(pace: .instant))
  }

  /// The content of the answer to a request; nil if no stub answers.
  private static func answer(
    of player: Player, to url: String, form: String? = nil
  ) throws -> String? {
    var request = StubRequest(
      method: form == nil ? "GET" : "POST", url: "https://api.shop.test" + url)
    if let form {
      request.headers[.contentType] = "application/x-www-form-urlencoded"
      request.body = .bytes(Data(form.utf8))
    }
    let answer = try PlayedAnswer(to: request, from: player)
    return answer.event.isMatched ? String(decoding: answer.content, as: UTF8.self) : nil
  }

  @Test func whatNoAnswerGivesIsFreeAndTheRestFitsTogether() throws {
    try withCatalog { catalog in
      let (job, content) = try Self.prepared(
        [
          Self.entry(
            "POST", "/token", form: Self.form + Self.secrets[0],
            #""{\"access_token\":\"\#(Self.secrets[1])\"}""#),
          Self.entry("GET", "/me?access_token=\(Self.secrets[1])", #""{\"name\":\"Ada\"}""#),
          Self.entry(
            "POST", "/token", form: Self.form + "zK7wP3xN9vR5tY2uB8mQ4sDf",
            #""{\"error\":\"expired\"}""#),
        ], into: catalog, settings: Self.settings())
      let redaction = try #require(content.redaction)
      #expect(
        redaction.freed.map { "\($0.key.rawValue) \($0.place)" }.first
          == "post-token /body/refresh_token")
      #expect((redaction.stubCount, redaction.remainingStubCount) == (3, 2))
      #expect(try job.write(content).map(\.rawValue) == ["shop"])
      #expect(try catalog.check().isEmpty)
      // Both sign-ins ask for the same now, and have their answers one after another.
      let player = try Self.player(catalog)
      let signIn = try Self.answer(of: player, to: "/token", form: Self.form + "mine")
      let token = try #require(signIn?.split(separator: "\"").last { $0.hasPrefix("REDACTED-") })
      #expect(try Self.answer(of: player, to: "/me?access_token=\(token)")?.contains("Ada") == true)
      #expect(try Self.answer(of: player, to: "/me?access_token=another") == nil)
      let second = try Self.answer(of: player, to: "/token", form: Self.form + "mine")
      #expect(second?.contains("expired") == true)
    }
  }

  @Test(arguments: [
    [(0, 401), (0, 401), (1, 200)], [(0, 401), (1, 200), (0, 401)],
    [(0, 401), (1, 401), (0, 200), (1, 200)],
  ])
  func requestsThatAreTheSameThenGetTheirAnswersInTheirOrder(calls: [(Int, Int)]) throws {
    try withCatalog { catalog in
      let entries = calls.map { secret, status in
        Self.entry(
          "POST", "/token", form: Self.form + Self.secrets[secret], #""{\"is\":\#(status)}""#,
          status: status)
      }
      let (job, content) = try Self.prepared(
        entries, into: catalog, settings: Self.settings(isStrict: true))
      #expect(!content.isRefused && content.scenarios.map(\.stubs.count) == [1])
      _ = try job.write(content)
      let player = try Self.player(catalog)
      let answers = try calls.map { _ in
        try Self.answer(of: player, to: "/token", form: Self.form + "mine")
      }
      #expect(answers == calls.map { #"{"is":\#($0.1)}"# })
    }
  }

  /// The stubs of a flow are not joined, so that the last request gets the answer of the flow.
  @Test func aRequestWithoutItsAnswerOnceSecretsAreTakenOutIsReported() throws {
    func read(_ secret: Int, _ answer: String) -> String {
      Self.entry("GET", "/me?api_key=\(Self.secrets[secret])", answer)
    }
    let entries = [
      read(0, #""1""#), Self.entry("POST", "/write", form: "a=1", #""ok""#), read(0, #""2""#),
      read(1, #""3""#),
    ]
    try withCatalog { catalog in
      let plain = try Self.prepared(
        entries, into: catalog, settings: Self.settings(redacts: false, isStrict: true),
        allowsSecrets: true
      ) { $0.flags.insert(.flows) }
      #expect(!plain.content.isRefused)
      for isStrict in [true, false] {
        let (_, content) = try Self.prepared(
          entries, into: catalog, settings: Self.settings(isStrict: isStrict)
        ) { $0.flags.insert(.flows) }
        #expect(content.isRefused == isStrict)
        #expect(
          content.result.report.lines.contains {
            $0.text.contains("The recorded request gets another answer")
          })
      }
    }
  }

  /// What redaction puts in place of a number is a number that others may be, too.
  @Test func aNumberThatNoRedactionGaveIsWhatItSays() throws {
    let orders = [123, 124].map {
      Self.entry("GET", "/orders/900000\($0)", #""order \#($0)""#)
    }
    let signIn = Self.entry(
      "POST", "/token", form: "refresh_token=\(Self.secrets[0])", #""signed in""#)
    for entries in [orders, orders + [signIn]] {
      try withCatalog { catalog in
        let (job, content) = try Self.prepared(
          entries, into: catalog, settings: Self.settings(isStrict: true))
        _ = try job.write(content)
        let player = try Self.player(catalog)
        for number in [123, 124] {
          let answer = try Self.answer(of: player, to: "/orders/900000\(number)")
          #expect(answer == "order \(number)")
        }
        #expect(try Self.answer(of: player, to: "/orders/900000125") == nil)
      }
    }
  }

  @Test func secretsAreRefusedUnlessTheyAreTakenOutOrAllowed() throws {
    let entries = [Self.entry("GET", "/me?api_key=\(Self.secrets[0])", #""ok""#)]
    try withCatalog { catalog in
      let refusal = #expect(throws: ImportProblem.self) {
        _ = try Self.prepared(entries, into: catalog, settings: Self.settings(redacts: false))
      }
      guard case .secrets(let findings)? = refusal else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      #expect(findings.count == 1)
      let allowed = try Self.prepared(
        entries, into: catalog, settings: Self.settings(redacts: false), allowsSecrets: true)
      #expect(allowed.content.redaction == nil)
    }
  }

  @Test func whatIsThereStaysUnlessItIsToBeReplaced() throws {
    try withCatalog { catalog throws in
      func content(_ answer: String, replaces: Bool = false) throws -> [ScenarioName] {
        let (job, content) = try Self.prepared(
          [Self.entry("GET", "/items", "\"\(answer)\"")], into: catalog,
          settings: Self.settings(replaces: replaces))
        return try job.write(content)
      }
      #expect(try content("old").count == 1)
      #expect(try content("old").isEmpty)
      #expect(throws: ImportProblem.self) { _ = try content("new") }
      #expect(try content("new", replaces: true).count == 1)
    }
  }
}
