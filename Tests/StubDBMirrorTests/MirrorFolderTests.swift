import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBMirror
import StubDBModel
import Testing

/// A mirror in a new folder, and the scenarios that it mirrors.
final class TemporaryMirror {
  let url: URL
  let mirror: MirrorFolder
  var scenarios: [ScenarioName: Scenario] = [:]

  init(_ scenarios: [Scenario] = []) {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-mirror-\(UUID().uuidString)/m")
    mirror = MirrorFolder(at: url, name: "m")
    set(scenarios)
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  func set(_ all: [Scenario]) {
    scenarios = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  func compare() throws -> MirrorComparison {
    try mirror.compare(scenarios.keys.sorted()) { scenarios[$0] }
  }

  @discardableResult
  func update(overwriting: Bool = false) throws -> MirrorChanges {
    try mirror.write(
      compare(), marker: MirrorMarker(catalog: "../shop.stubdb"), overwriting: overwriting,
      isEarlier: { _ in false }, scenario: { scenarios[$0] })
  }

  func write(_ path: String, _ text: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ path: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
  }

  func files() throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    return all.filter { !$0.hasPrefix(".stubdb-mirror-record") }.filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(
        atPath: url.appendingPathComponent(path).path, isDirectory: &isFolder)
      return !isFolder.boolValue
    }.sorted()
  }
}

private func scenario(_ name: String, text: String = "ok", key: String = "get") throws -> Scenario {
  Scenario(
    name: try #require(ScenarioName(name)),
    stubs: [Stub(key: Stub.Key(unchecked: key), responses: [StubResponse(body: .text(text))])])
}

struct MirrorFolderTests {
  private static let long = String(repeating: "a line of text\n", count: 20)

  @Test func aMirrorHoldsDocumentsAndLongBodies() throws {
    var image = try scenario("shop/logo", key: "GET /logo")
    image.stubs[0].responses = [
      StubResponse(headers: [.contentType: "image/png"], body: .data(Data([0x89, 0x50, 0, 0xFF])))
    ]
    let box = TemporaryMirror([try scenario("a/b"), try scenario("a/page", text: Self.long), image])
    let changes = try box.update()
    #expect(changes.added.count == 7)
    #expect(
      try box.files() == [
        ".gitattributes", ".stubdb-mirror", "a/b.json", "a/page.files/get.1.txt", "a/page.json",
        "shop/logo.files/GET--logo~3d2aae11.1.png", "shop/logo.json",
      ])
    #expect(try box.read("a/page.files/get.1.txt") == Self.long)
    #expect(try box.read("a/page.json").contains(#""file": "page.files/get.1.txt""#))
    #expect(try box.update().isEmpty)
    #expect(try box.compare().differences.isEmpty)
    #expect(try box.mirror.content().scenarios == box.scenarios.values.sorted { $0.name < $1.name })
  }

  @Test func onlyFilesThatChangeAreWritten() throws {
    let box = TemporaryMirror([try scenario("a/b"), try scenario("a/c", text: Self.long)])
    try box.update()
    box.set([try scenario("a/b", text: "new"), try scenario("a/c"), try scenario("d")])
    let changes = try box.update()
    #expect(changes.added == ["d.json"])
    #expect(changes.updated == ["a/b.json", "a/c.json"])
    #expect(changes.removed == ["a/c.files/get.1.txt"])
    box.set([try scenario("d")])
    #expect(try box.update().removed == ["a/b.json", "a/c.json"])
    #expect(try box.files() == [".gitattributes", ".stubdb-mirror", "d.json"])
    #expect(!FileManager.default.fileExists(atPath: box.url.appendingPathComponent("a").path))
  }

  @Test func whatNoMirrorHasIsLeftAloneAndNamed() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.update()
    try box.write("README.md", "about")
    try box.write("a/b.files/notes.txt", "mine")
    try box.write("broken.json", "{")
    box.set([])
    #expect(try box.compare().foreign == ["README.md", "a/b.files/notes.txt"])
    #expect(try box.update().removed == ["a/b.json"])
    #expect(
      try box.files() == [
        ".gitattributes", ".stubdb-mirror", "README.md", "a/b.files/notes.txt", "broken.json",
      ])
  }

  @Test func editedTextIsNotLost() throws {
    let box = TemporaryMirror([try scenario("a/b"), try scenario("a/c")])
    try box.update()
    let edited = #"{"scenario":"a/b","stubs":[{"key":"get","responses":[{"status":404}]}]}"#
    try box.write("a/b.json", edited)
    try box.write("own.json", #"{"scenario":"own","stubs":[]}"#)
    try box.write("a/c.json", "<<<<<<< ours")
    let edits = try #require(throws: MirrorEdits.self) { try box.update() }
    #expect(edits.paths == ["m/a/b.json", "m/a/c.json", "m/own.json"])
    #expect(try box.read("a/b.json") == edited)
    let differences = try box.compare().differences
    #expect(differences.map(\.kind) == [.changed, .unreadable, .surplus])
    #expect(differences[0].details == ["stub get: /responses/0/status, /responses/0/text"])
    try box.update(overwriting: true)
    #expect(try box.compare().differences.isEmpty)
    #expect(try !box.files().contains("own.json"))
  }

  @Test func anEditThatKeepsToTheCanonicalFormIsNotLost() throws {
    let box = TemporaryMirror([try scenario("a/b"), try scenario("a/page", text: Self.long)])
    try box.update()
    let edited = try box.read("a/b.json").replacing("ok", with: "no")
    try box.write("a/b.json", edited)
    try box.write("a/page.files/get.1.txt", Self.long + "one more\n")
    let edits = try #require(throws: MirrorEdits.self) { try box.update() }
    #expect(edits.paths == ["m/a/b.json", "m/a/page.json"])
    // Once the catalog has taken the texts in, they follow it again.
    let content = try box.mirror.content()
    try box.mirror.recordAgreement(on: content)
    #expect(try box.update().updated == ["a/b.json", "a/page.files/get.1.txt"])
  }

  @Test func theFilesOfAnEarlierStateAreReplacedWithoutARecord() throws {
    let box = TemporaryMirror([try scenario("a/b", text: "one")])
    try box.update()
    try FileManager.default.removeItem(at: box.url.appendingPathComponent(".stubdb-mirror-record"))
    let earlier = MirrorDocument(try scenario("a/b", text: "one"), path: "a/b.json").files
    box.set([try scenario("a/b", text: "two")])
    #expect(throws: MirrorEdits.self) { try box.update() }
    let changes = try box.mirror.write(
      box.compare(), marker: MirrorMarker(catalog: "../shop.stubdb"), overwriting: false,
      isEarlier: { $0.files == earlier }, scenario: { box.scenarios[$0] })
    #expect(changes.updated == ["a/b.json"])
  }

  @Test func whatAMergeLeftIsWrittenOverAndNothingElse() throws {
    let box = TemporaryMirror([try scenario("a/b"), try scenario("a/page", text: Self.long)])
    try box.update()
    func update(leftovers: Set<String>) throws -> MirrorChanges {
      try box.mirror.write(
        box.compare(), marker: MirrorMarker(catalog: "../shop.stubdb"), overwriting: false,
        leftovers: leftovers, isEarlier: { _ in false }, scenario: { box.scenarios[$0] })
    }
    for path in ["a/b.json", "a/page.files/get.1.txt", "gone.json"] {
      try box.write(path, "<<<<<<< ours")
    }
    let page = try box.read("a/page.json")
    let edited = page.replacing("get\"", with: "put\"")
    try box.write("a/page.json", edited)
    let leftovers: Set = ["a/b.json", "a/page.files/get.1.txt", "gone.json"]
    let edits = try #require(throws: MirrorEdits.self) { try update(leftovers: leftovers) }
    #expect(edits.paths == ["m/a/page.json"])
    #expect(try box.read("a/page.json") == edited)

    try box.write("a/page.json", page)
    let comparison = try box.compare()
    #expect(
      try !box.mirror.hasEdits(comparison, leftovers: leftovers, isEarlier: { _ in false }))
    let changes = try update(leftovers: leftovers)
    #expect(changes.updated == ["a/b.json", "a/page.files/get.1.txt"])
    #expect(changes.removed == ["gone.json"])
    #expect(try box.compare().differences.isEmpty)
    // The body of a document that cannot be read is part of the mirror all the same.
    try box.write("a/page.json", "<<<<<<< ours")
    #expect(try box.compare().foreign == [])
    #expect(try update(leftovers: ["a/page.json"]).updated == ["a/page.json"])
  }

  @Test func anyFormattingInAnyPlaceIsAccepted() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.update()
    try FileManager.default.removeItem(at: box.url.appendingPathComponent("a/b.json"))
    try box.write(
      "elsewhere/x.json",
      #"{"stubs":[{"responses":[{"text":"ok"}],"key":"get"}],"scenario":"a/b"}"#)
    #expect(try box.compare().differences.isEmpty)
    let changes = try box.update()
    #expect(changes.removed == ["elsewhere/x.json"])
    #expect(changes.added == ["a/b.json"])
  }

  @Test func nothingIsRemovedFromAFolderThatIsNoMirror() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.write("x.json", ScenarioDocument.encode(try scenario("x")))
    try box.update()
    #expect(try box.files().contains("x.json"))
  }

  @Test func linksAreNeitherReadNorWrittenThrough() throws {
    let box = TemporaryMirror([try scenario("out/b")])
    let outside = box.url.deletingLastPathComponent().appendingPathComponent("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: box.url, withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: outside.appendingPathComponent("f"))
    try FileManager.default.createSymbolicLink(
      at: box.url.appendingPathComponent("out"), withDestinationURL: outside)
    #expect(throws: MirrorError.self) { try box.update() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["f"])
    // A mark that follows a slash hides it among characters.
    try Data("secret".utf8).write(to: outside.appendingPathComponent("\u{301}f"))
    for reference in [
      "out/f", "../outside/f", "/etc/hostname", "a/../../outside/f", "out/\u{301}f",
    ] {
      try box.write(
        "d.json",
        #"{"scenario":"d","stubs":[{"key":"k","responses":[{"file":"\#(reference)"}]}]}"#)
      let errors = try #require(throws: MirrorTextErrors.self) { try box.mirror.content() }
      #expect(errors.messages.count == 1)
      #expect(errors.messages[0].hasPrefix("m/d.json:1: /stubs/0/responses/0/file: cannot read"))
    }
  }

  @Test func everyDocumentThatIsWrongIsNamed() throws {
    let box = TemporaryMirror()
    try box.write("a.json", "{\n  \"scenario\": \"a\",\n  \"stubz\": []\n}")
    try box.write("b.json", #"{"scenario":"c","stubs":[]}"#)
    try box.write("c.json", #"{"scenario":"c","stubs":[]}"#)
    let errors = try #require(throws: MirrorTextErrors.self) { try box.mirror.content() }
    #expect(errors.messages.count == 2)
    #expect(errors.messages[0].hasPrefix("m/a.json:3: /stubz: unknown key"))
    #expect(errors.messages[1] == "m/c.json: /scenario: m/b.json is of the scenario c too")
  }

  @Test func aFileLargerThanAnyCatalogIsRefusedUnread() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.update()
    try box.write("huge.json", "")
    // Twenty gigabytes that take no space.
    #expect(truncate(box.url.appendingPathComponent("huge.json").path, 20 << 30) == 0)
    let errors = try #require(throws: MirrorTextErrors.self) { try box.mirror.content() }
    #expect(errors.messages.count == 1)
    #expect(errors.messages[0].contains("huge.json has 21474836480 bytes"))
    #expect(try box.compare().differences.map(\.path) == ["huge.json"])
    #expect(try box.update().isEmpty)
  }

  @Test(.enabled(if: isLinux, "other file systems refuse such names themselves"))
  func aNameThatIsNotUTF8IsRefused() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.update()
    let path = Array(box.url.path.utf8CString.dropLast()) + Array("/a/".utf8CString.dropLast())
    let file = path + [CChar(bitPattern: 0xFE)] + Array("x.json".utf8CString)
    #expect(close(open(file, O_CREAT | O_WRONLY, 0o644)) == 0)
    for work in [{ _ = try box.mirror.content() }, { try box.update() }] as [() throws -> Void] {
      let error = try #require(throws: MirrorError.self) { try work() }
      #expect(error.message.hasSuffix("rename the file or move it out of the folder"))
      #expect(error.message.contains(#"the name of \xfex.json is not UTF-8"#))
    }
  }

  @Test func aReplacedDocumentKeepsItsPermissionsAndLeftoversGo() throws {
    let box = TemporaryMirror([try scenario("a/b")])
    try box.update()
    let document = box.url.appendingPathComponent("a/b.json").path
    chmod(document, 0o600)
    // The leftover of a killed process whose id another process has now.
    try box.write("a/.stubdb-tmp-1", "half")
    box.set([try scenario("a/b", text: "new")])
    try box.update()
    let attributes = try FileManager.default.attributesOfItem(atPath: document)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try box.files() == [".gitattributes", ".stubdb-mirror", "a/b.json"])
  }
}

#if os(Linux)
  private let isLinux = true
#else
  private let isLinux = false
#endif
