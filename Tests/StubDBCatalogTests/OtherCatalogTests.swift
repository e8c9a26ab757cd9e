import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBLock
import StubDBModel
import StubDBRemote
import StubDBTestSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing
@testable import StubDBEngine

/// A project with a catalog, others that it includes from, a lock file and a cache.
private struct Project {
  let folder: URL
  var lock = LockFile()
  private let loaded = LoadedScenarios(now: { .distantFuture })

  var cache: ObjectCache { ObjectCache(folder.appendingPathComponent("cache")) }
  var lockURL: URL { folder.appendingPathComponent(LockFile.fileName) }

  init(_ folder: URL) {
    self.folder = folder
  }

  /// A catalog of documents, in a file of the project.
  @discardableResult
  func write(_ path: String, _ documents: String...) throws -> Catalog {
    let url = folder.appendingPathComponent(path)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let catalog = try Catalog.create(at: url)
    try catalog.edit { editor in
      for text in documents {
        try editor.replace(ScenarioDocument.decode(Data(text.utf8)))
      }
    }
    return try open(path)
  }

  func open(_ path: String = "shop.stubdb") throws -> Catalog {
    try Catalog(
      contentsOf: folder.appendingPathComponent(path), format: .current, loaded: loaded,
      cache: cache)
  }

  /// Puts a catalog into the cache and into the lock, as `pull` does.
  @discardableResult
  mutating func publish(_ name: String, _ documents: String...) throws -> URL {
    let source = folder.appendingPathComponent("published-\(UUID().uuidString).stubdb")
    let catalog = try Catalog.create(at: source)
    try catalog.edit { editor in
      for text in documents { try editor.replace(ScenarioDocument.decode(Data(text.utf8))) }
    }
    let data = try Data(contentsOf: source)
    let digest = ObjectDigest(of: data)
    let file = cache.url(digest)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    if !cache.has(digest) { try FileManager.default.moveItem(at: source, to: file) }
    lock.catalogs[name] = LockFile.Entry(
      url: "s3://stubs/\(name)", commit: digest, digest: digest, bytes: data.count)
    try save()
    return file
  }

  /// Has the lock say that a catalog is edited here.
  mutating func edit(_ name: String, at path: String) throws {
    let digest = ObjectDigest(of: Data())
    lock.catalogs[name] = LockFile.Entry(
      url: "s3://stubs/\(name)", commit: digest, digest: digest, bytes: 0, path: path)
    try save()
  }

  func save() throws { try lock.encoded.write(to: lockURL) }
}

private func document(_ name: String, _ includes: [String] = [], text: String = "") -> String {
  let list = includes.map { "\"\($0)\"" }.joined(separator: ", ")
  return """
    { "scenario": "\(name)", "includes": [\(list)], "stubs": [
      { "key": "\(name)", "request": { "path": "/\(name)" }, "responses": [ { "text": "\(text)" } ] },
      { "key": "all", "responses": [ { "text": "\(name)" } ] } ] }
    """
}

/// Includes of scenarios of other catalogs, when a scenario is loaded and checked.
struct OtherCatalogTests {
  private func withProject(_ body: (inout Project) throws -> Void) throws {
    try withTemporaryFolder { folder in
      var project = Project(folder)
      try body(&project)
    }
  }

  private func origins(_ name: String, in catalog: Catalog) throws -> [String] {
    let sources = try catalog.load(name).run().stubUses.map(\.source)
    return sources.filter { $0.stub.key.rawValue == "all" }.map(\.origin.rawValue)
  }

  private func error(_ catalog: Catalog, _ name: String = "a") -> CatalogError? {
    #expect(throws: CatalogError.self) { try catalog.load(name) }
  }

  @Test func theStubsAnswerInTheOrderOfTheIncludes() throws {
    try withProject { project in
      try project.publish(
        "payments", document("card/declined", ["base"]), document("base"), document("a"))
      let shop = try project.write(
        "shop.stubdb", document("base"), document("a", ["payments:card/declined", "base"]))
      #expect(
        try origins("a", in: shop) == ["a", "payments:card/declined", "payments:base", "base"])
      let run = try shop.load("a").run()
      for origin in ["payments:base", "base"] {
        #expect(run.stub("base", of: ScenarioName(unchecked: origin)) != nil)
      }
      #expect(try shop.load("base", overlays: ["a"]).stubCount == 10)
      #expect(try shop.check().isEmpty)
      #expect(try shop.listedScenarios().map(\.stubsText) == ["2+?", "2"])
    }
  }

  @Test func theLockIsFoundAboveTheCatalogUpToTheRepository() throws {
    try withProject { project in
      try project.publish("payments", document("b"))
      let shop = try project.write("Tests/Fixtures/shop.stubdb", document("a", ["payments:b"]))
      #expect(try origins("a", in: shop) == ["a", "payments:b"])
      let top = project.folder.appendingPathComponent("Tests/.git")
      try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
      let inner = try project.write("Tests/Fixtures/inner.stubdb", document("a", ["payments:b"]))
      let error = error(inner)
      #expect(error?.code == .noSuchCatalog)
      #expect(error?.message.contains("there is no stubdb.lock beside or above") == true)
      #expect(error?.message.contains("pull URL --as payments") == true)
    }
  }

  @Test func whatIsNotHereIsAnErrorThatSaysWhatToType() throws {
    try withProject { project in
      let file = try project.publish("payments", document("b"))
      let shop = try project.write(
        "shop.stubdb", document("a", ["payments:b"]), document("b", ["payment:b"]),
        document("c", ["payments:bb"]))
      _ = try shop.load("a")
      #expect(
        error(shop, "b")?.message.hasSuffix(
          "names no catalog \"payment\"; did you mean \"payments\"?")
          == true)
      #expect(error(shop, "c")?.code == .danglingInclude)
      #expect(error(shop, "c")?.suggestions == ["payments:b"])
      try FileManager.default.removeItem(at: file)
      let missing = error(try project.open())
      #expect(missing?.code == .catalogNotPulled)
      #expect(
        missing?.message
          == "\"a\" includes \"payments:b\", but that catalog is not in the cache of this machine yet; to get it: "
          + "stubdb -C \(project.folder.resolvingSymlinksInPath().path) pull payments")
      #expect(
        try shop.check().map(\.pointer?.description) == [
          "/includes/0", "/includes/0", "/includes/0",
        ])
      // Writing goes on without the other catalog.
      try shop.edit { try $0.rename(name("a"), to: name("z")) }
      #expect(try shop.scenario(named: name("z")).includes.map(\.rawValue) == ["payments:b"])
    }
  }

  @Test func damagedFilesOfTheCacheAreRefused() throws {
    try withProject { project in
      let file = try project.publish("payments", document("b", text: "right"))
      let shop = try project.write("shop.stubdb", document("a", ["payments:b"]))
      let bytes = try Data(contentsOf: file)
      try bytes.replacing("right", with: "wrong").write(to: file)
      #expect(error(shop)?.code == .damaged)
      #expect(error(shop)?.message.contains("to fetch it again: stubdb") == true)
      try bytes.write(to: file)
      #expect(try origins("a", in: shop) == ["a", "payments:b"])
      try Data("{".utf8).write(to: project.lockURL)
      #expect(error(shop)?.message.contains("stubdb.lock is not JSON") == true)
    }
  }

  @Test func circlesOverCatalogsAreErrors() throws {
    try withProject { project in
      try project.edit("shop", at: "shop.stubdb")
      try project.edit("payments", at: "payments.stubdb")
      try project.write("payments.stubdb", document("b", ["shop:a"]))
      let shop = try project.write("shop.stubdb", document("a", ["payments:b"]))
      let circle = "scenarios include each other in a circle: a -> payments:b -> a"
      #expect(error(shop)?.description == circle)
      #expect(error(shop)?.code == .includeCycle)
      #expect(try shop.check().map(\.problem) == [circle])
      #expect(throws: CatalogError.self) {
        try shop.requireIncludable([ScenarioReference(unchecked: "payments:b")], by: name("a"))
      }
    }
  }

  @Test func onlyTheLockOfTheReaderSaysWhatACatalogIs() throws {
    try withProject { project in
      try project.edit("pay", at: "below/payments.stubdb")
      try project.publish("users", document("ada"))
      try project.write("below/payments.stubdb", document("b", ["users:ada"]))
      // What lies beside the other catalog does not count.
      try LockFile().encoded.write(
        to: project.folder.appendingPathComponent("below/stubdb.lock"))
      let shop = try project.write("shop.stubdb", document("a", ["pay:b", "pay2:b"]))
      try project.edit("pay2", at: "./below/payments.stubdb")
      // Two names of one file are one catalog.
      #expect(try origins("a", in: shop) == ["a", "pay:b", "users:ada"])
    }
  }

  @Test func aLockThatMovesIsSeenByTheNextLoad() throws {
    try withProject { project in
      try project.publish("payments", document("b"))
      let shop = try project.write("shop.stubdb", document("a", ["payments:b"]))
      let first = try shop.load("a")
      #expect(try shop.load("a").stubs === first.stubs)
      let states = CatalogStates(of: shop)
      let before = states.now()
      #expect(before == states.now())
      try project.publish("payments", document("b", ["c"]), document("c"))
      #expect(try origins("a", in: shop) == ["a", "payments:b", "payments:c"])
      #expect(states.now() != before)
      try project.edit("payments", at: "payments.stubdb")
      let edited = try project.write("payments.stubdb", document("b"))
      #expect(try origins("a", in: shop) == ["a", "payments:b"])
      try edited.edit { try $0.rename(name("b"), to: name("c")) }
      #expect(error(shop)?.code == .danglingInclude)
      // A lock that is nearer takes the place of the other one.
      try LockFile().encoded.write(to: project.lockURL)
      #expect(error(shop)?.code == .noSuchCatalog)
    }
  }

  @Test func largeBodiesOfAllCatalogsAreReadWhenTheyAreServed() throws {
    try withProject { project in
      let size = Catalog.largestBodyInMemory + 1
      let (own, other) = (
        String(repeating: "o", count: size), String(repeating: "p", count: size)
      )
      try project.publish("payments", document("b", text: other))
      let shop = try project.write("shop.stubdb", document("a", ["payments:b"], text: own))
      let scenario = try shop.load("a")
      let bodies = scenario.run().stubUses.compactMap { $0.source.stub.responses[0].body }
      #expect(try bodies.map { try scenario.body(of: $0).count } == [size, 1, size, 1])
    }
  }

  @Test func aThousandScenariosWithOneOfAnotherCatalogAreLoadedAndChecked() throws {
    try withProject { project in
      try project.publish("payments", document("b"))
      let shop = try project.write("shop.stubdb")
      try shop.edit { editor in
        for number in 0..<1_000 {
          let includes = ["payments:b"].map(ScenarioReference.init(unchecked:))
          try editor.insert(
            Scenario(name: name("s\(number)"), includes: number == 500 ? includes : []))
        }
      }
      #expect(try shop.check().isEmpty)
      for number in [0, 500, 999] {
        #expect(try shop.load("s\(number)").stubCount == (number == 500 ? 2 : 0))
      }
    }
  }

  @Test func documentsThatAreNotInTheCatalogGetWhatTheyInclude() throws {
    try withProject { project in
      try project.publish("payments", document("b", ["c"]), document("c"))
      let shop = try project.write("shop.stubdb", document("a"))
      let draft = try ScenarioDocument.decode(Data(document("draft", ["payments:b", "a"]).utf8))
      let included = try shop.included(by: draft)
      #expect(included.map(\.name.rawValue) == ["payments:b", "payments:c", "a"])
      #expect(try LoadedScenario(draft, including: included).stubCount == 8)
      #expect(throws: EngineError.self) { try LoadedScenario(draft) }
    }
  }
}

extension Data {
  fileprivate func replacing(_ text: String, with other: String) -> Data {
    var bytes = self
    while let range = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(other.utf8))
    }
    return bytes
  }
}
