import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBRecording
import StubDBTestSupport
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Secrets that pass a recording: none reaches the disk, and all reach the client.
@Suite struct RecordedSecretTests {
  /// Where a secret comes in: the request and the answer that hold it.
  private enum Place: Int, CaseIterable {
    case bearer, basic, apiKey, cookie, query, form, jsonRequest, jsonAnswer, setCookie, variable
  }

  private struct Secret {
    let place: Place
    let value: String
  }

  /// Fifty values, five for each place, with characters that encodings change.
  private static let secrets: [Secret] = {
    var random = SeededRandom(seed: 14)
    let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return Place.allCases.flatMap { place in
      (0..<5).map { number in
        let text = String((0..<28).compactMap { _ in letters.randomElement(using: &random) })
        // A cookie and credentials of a field hold no such characters.
        let mark = [.form, .jsonRequest, .jsonAnswer].contains(place) ? "/+&=" : "_"
        return Secret(place: place, value: text.prefix(14) + mark + text.suffix(14))
      }
    }
  }()

  private static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  private static func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  /// The forms that a value can have in a file.
  private static func forms(of value: String) -> [Data] {
    var forms = [value]
    for allowed in [CharacterSet.alphanumerics, .urlQueryAllowed, .urlPathAllowed] {
      let text = value.addingPercentEncoding(withAllowedCharacters: allowed) ?? value
      forms += [text, text.lowercased()]
    }
    let quoted = String(json(value).dropFirst().dropLast())
    forms += [
      quoted, quoted.replacing("\\/", with: "/"), quoted.replacing("\\", with: "\\\\"),
    ]
    for shift in 0..<3 {
      let text = Data(String(repeating: "x", count: shift).utf8) + Data(value.utf8)
      let base64 = text.base64EncodedString().dropFirst(4).dropLast(4)
      forms += [
        String(base64), String(base64.replacing("+", with: "-").replacing("/", with: "_")),
      ]
    }
    return forms.map { Data($0.utf8) }
  }

  private static func request(_ secret: Secret, _ server: LoopbackServer) throws -> URLRequest {
    let path = "/\(secret.place)"
    let url = secret.place == .query ? "\(path)?access_token=\(percent(secret.value))" : path
    var request = URLRequest(url: try #require(URL(string: server.url(url))))
    switch secret.place {
    case .bearer: request.setValue("Bearer \(secret.value)", forHTTPHeaderField: "Authorization")
    case .basic:
      let credentials = Data("ada:\(secret.value)".utf8).base64EncodedString()
      request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
    case .apiKey: request.setValue(secret.value, forHTTPHeaderField: "X-Api-Key")
    case .cookie: request.setValue("sid=\(secret.value)", forHTTPHeaderField: "Cookie")
    case .form:
      request.httpMethod = "POST"
      request.httpBody = Data("user=ada&password=\(percent(secret.value))".utf8)
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    case .jsonRequest:
      request.httpMethod = "POST"
      request.httpBody = Data("{\"client_secret\": \(json(secret.value))}".utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    case .query, .jsonAnswer, .setCookie, .variable: break
    }
    return request
  }

  /// What the server says: the secret in a place of its own, or in other encodings once the client has sent it.
  private static func answer(_ secret: Secret) -> String {
    let value = secret.value
    var head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    if secret.place == .setCookie { head += "Set-Cookie: session=\(value); Path=/\r\n" }
    var members = ["\"plain\": \(json(value))", "\"percent\": \"a=\(percent(value))\""]
    members.append("\"base64\": \"\(Data("x\(value)".utf8).base64EncodedString())\"")
    members.append("\"nested\": \(json("{\"inner\": \(json(value))}"))")
    if secret.place == .jsonAnswer { members.append("\"access_token\": \(json(value))") }
    let body = "{\(members.joined(separator: ", "))}"
    return head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func fiftySecretsInAllEncodingsReachTheClientAndNotTheDisk() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let secrets = Self.secrets
    try #require(Set(secrets.map(\.value)).count == 50)
    let counter = Counter()
    let server = try LoopbackServer { _ in Self.answer(secrets[counter.next()]) }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let variables = secrets.filter { $0.place == .variable }.enumerated()
      .map { ("SHOP_TOKEN_\($0.offset)", $0.element.value) }
    let writer = try DraftWriter(
      catalog: catalog.url.path, environment: Dictionary(uniqueKeysWithValues: variables))
    var play = try RecordedPlay(
      "shop/secrets", in: catalog, PlaybackOptions(record: .all), environment: [:])
    play.record(
      with: RunRecorder(play.scenario.name, mode: .all, catalog: catalog.url.path, writer: writer))
    let interceptor = StubInterceptor(playing: play)
    for secret in secrets {
      let session = interceptor.urlSession()
      let (content, response) = try await session.data(for: Self.request(secret, server))
      #expect(content.range(of: Data(Self.json(secret.value).utf8)) != nil)
      let cookie = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")
      #expect(secret.place != .setCookie || cookie?.contains(secret.value) == true)
    }
    interceptor.end()
    let outcome = try #require(interceptor.recorder).outcome
    #expect(outcome.count == 50, "\(outcome.problems)")
    #expect(outcome.problems.isEmpty)
    let draft = DraftWriter.folder(ofCatalog: catalog.url.path)
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: draft)
    where name.hasSuffix(".jsonl") {
      bytes += try Data(contentsOf: URL(fileURLWithPath: "\(draft)/\(name)"))
    }
    #expect(bytes.count > 10_000)
    expectNoSecret(in: bytes, "the draft")
    let journal = interceptor.journal.map(\.description).joined(separator: "\n")
    #expect(interceptor.journal.count == 50)
    expectNoSecret(in: Data(journal.utf8), "the journal")
    // The files can be decided about once the process has closed them.
    writer.close()
    for words in [["review"], ["review", "--json"], ["review", "--accept-all"]] {
      let report = try Self.output(of: words + ["--catalog", catalog.url.path])
      #expect(!report.isEmpty)
      expectNoSecret(in: report, "\(words)")
    }
    let taken = try Data(contentsOf: catalog.url)
    #expect(try Catalog(contentsOf: catalog.url).scenarios().first?.stubCount ?? 0 > 5)
    expectNoSecret(in: taken, "the catalog")
    let shown = try Self.output(
      of: ["show", "shop/secrets", "--json", "--catalog", catalog.url.path])
    #expect(String(decoding: shown, as: UTF8.self).contains("REDACTED-"))
    expectNoSecret(in: shown, "the document")
    // A value has one placeholder: what the client sends fits what it was given.
    let text = String(decoding: bytes, as: UTF8.self)
    let first = try #require(text.split(separator: "\n").first)
    #expect(first.contains("Bearer REDACTED-6") && first.contains("\"plain\":\"REDACTED-6\""))
  }

  private func expectNoSecret(in bytes: Data, _ place: String) {
    for secret in Self.secrets {
      for form in Self.forms(of: secret.value) where bytes.range(of: form) != nil {
        Issue.record("\(place): \(secret.place): \(String(decoding: form, as: UTF8.self))")
      }
    }
  }

  /// What the command line prints, to both outputs.
  private static func output(of words: [String]) throws -> Data {
    let (process, output) = (Process(), Pipe())
    process.executableURL = Program.built("stubdb")
    process.arguments = words
    process.standardOutput = output
    process.standardError = output
    try process.start()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return text
  }

  @Test func whatTurnsOutToBeASecretLaterIsTakenOutOfEarlierLines() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let value = "tulip window harbor"
    let server = try LoopbackServer { _ in
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 24\r\n\r\nsays \(value)"
    }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let interceptor = StubInterceptor(
      playing: try RecordedPlay(
        "shop/later", in: catalog, PlaybackOptions(record: .all), environment: [:]))
    let draft = URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path))
    func written() throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: draft.path)
      let name = try #require(names.first { $0.hasSuffix(".jsonl") })
      #expect(names.count == 2)
      return try String(contentsOf: draft.appendingPathComponent(name), encoding: .utf8)
    }
    var request = URLRequest(url: try #require(URL(string: server.url("/"))))
    _ = try await interceptor.urlSession().data(for: request)
    #expect(try written().contains("says \(value)"))
    request.setValue(value, forHTTPHeaderField: "X-Api-Key")
    _ = try await interceptor.urlSession().data(for: request)
    interceptor.end()
    let text = try written()
    #expect(!text.contains(value))
    #expect(text.components(separatedBy: "\"says REDACTED-1\"").count == 3)
    #expect(text.split(separator: "\n").count == 3)
  }

  @Test func largeContentsAreInFilesWithoutTheirSecrets() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let value = "tulip window harbor"
    let filling = String(repeating: "0123456789abcde\n", count: 80_000)
    let server = try LoopbackServer { request in
      let body = request.line.contains("/small") ? "small" : filling + "says \(value)"
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
      return head + "\(body.utf8.count)\r\n\r\n\(body)"
    }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let draft = URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path))
    func run(_ paths: [String], key: String? = nil) async throws {
      let interceptor = StubInterceptor(
        playing: try RecordedPlay(
          "shop/large", in: catalog, PlaybackOptions(record: .all), environment: [:]))
      for path in paths {
        var request = URLRequest(url: try #require(URL(string: server.url(path))))
        request.setValue(key, forHTTPHeaderField: "X-Api-Key")
        let content = try await interceptor.urlSession().data(for: request).0
        #expect(path == "/small" || content.count == filling.utf8.count + 24)
      }
      interceptor.end()
    }
    func read() throws -> (lines: [DraftLine?], contents: [String: Data]) {
      var (lines, contents) = ([DraftLine?](), [String: Data]())
      for name in try FileManager.default.contentsOfDirectory(atPath: draft.path) {
        let data = try Data(contentsOf: draft.appendingPathComponent(name))
        if name.hasSuffix(".jsonl") {
          lines = data.split(separator: UInt8(ascii: "\n")).map { DraftLine($0) }
        } else if name.hasSuffix(".body") {
          contents[name] = data
        }
      }
      return (lines, contents)
    }
    try await run(["/large"])
    let before = try read()
    let name = try #require(before.contents.keys.first)
    #expect(before.contents.count == 1 && before.contents[name]?.count == filling.utf8.count + 24)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: draft.appendingPathComponent(name).path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

    // The value turns out to be a secret; the end of the first run is still known.
    try await run(["/small"], key: value)
    let (lines, contents) = try read()
    #expect(lines.count == 4 && contents.count == 1 && contents[name] == nil)
    #expect(contents.values.first?.range(of: Data(value.utf8)) == nil)
    guard case .exchange(let exchange)? = lines[0], case .ended(_, 1, false)? = lines[1] else {
      Issue.record("\(lines)")
      return
    }
    let whole = try #require(DraftContents.restored(exchange, from: draft))
    #expect(
      whole.stub.value(at: JSONPointer(["responses", "0", "text"]))
        == .string(filling + "says REDACTED-1"))
  }

  /// A content that is gone cannot be read, and its line would be dropped: the new secret does not lead to it.
  @Test func aNewSecretDoesNotReadWhatCannotHoldIt() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let filling = String(repeating: "0123456789abcde\n", count: 80_000)
    let server = try LoopbackServer { request in
      let body = request.line.contains("/small") ? "small" : filling
      return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
        + "\(body.utf8.count)\r\n\r\n\(body)"
    }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let draft = URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path))
    let interceptor = StubInterceptor(
      playing: try RecordedPlay(
        "shop/large", in: catalog, PlaybackOptions(record: .all), environment: [:]))
    let session = interceptor.urlSession()
    _ = try await session.data(from: try #require(URL(string: server.url("/large"))))
    let names = try FileManager.default.contentsOfDirectory(atPath: draft.path)
    let content = try #require(names.first { $0.hasSuffix(".body") })
    try FileManager.default.removeItem(at: draft.appendingPathComponent(content))
    for number in 0..<3 {
      var request = URLRequest(url: try #require(URL(string: server.url("/small"))))
      request.setValue("tulip window harbor \(number)", forHTTPHeaderField: "X-Api-Key")
      _ = try await session.data(for: request)
    }
    interceptor.end()
    let lines = try #require(names.first { $0.hasSuffix(".jsonl") })
    let text = try String(contentsOf: draft.appendingPathComponent(lines), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 5)
    #expect(text.contains(content) && !text.contains("tulip"))
  }

  @Test func rulesBesideTheCatalogCountAndBrokenOnesRefuseEverything() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let rules = folder.appendingPathComponent(".stubdb-redact.json")
    try Data(#"{"jsonPointers": ["/user/email"]}"#.utf8).write(to: rules)
    let body = #"{"user":{"email":"ada@shop.test"}}"#
    let server = try LoopbackServer { _ in
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let url = try #require(URL(string: server.url("/")))
    func run(_ name: String) async throws -> (StubInterceptor, String?) {
      let catalog = try Catalog.create(at: folder.appendingPathComponent(name))
      let interceptor = StubInterceptor(
        playing: try RecordedPlay(
          "shop/user", in: catalog, PlaybackOptions(record: .all), environment: [:]))
      let answer = try? await interceptor.urlSession().data(from: url).0
      interceptor.end()
      return (interceptor, answer.map { String(decoding: $0, as: UTF8.self) })
    }
    let (good, answer) = try await run("good.stubdb")
    #expect(answer == body && good.recorder?.outcome.count == 1)
    let draft = folder.appendingPathComponent("good.stubdb.draft")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: draft.path).first {
        $0.hasSuffix(".jsonl")
      })
    let text = try String(contentsOf: draft.appendingPathComponent(name), encoding: .utf8)
    #expect(text.contains("REDACTED-1") && !text.contains("ada@shop.test"))
    try Data("{".utf8).write(to: rules)
    let (broken, refused) = try await run("broken.stubdb")
    #expect(refused == nil && broken.recorder == nil)
    #expect(server.requests.count == 1)
  }
}

/// Counts requests.
private final class Counter: @unchecked Sendable {
  // Safe to share: the server answers one request after another.
  private var count = -1

  func next() -> Int {
    count += 1
    return count
  }
}
