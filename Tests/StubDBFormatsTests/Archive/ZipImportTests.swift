import Foundation
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Archives are read as the folders that they were made of, or refused.
@Suite struct ZipImportTests {
  private func run(_ archive: Data, named name: String = "shop.zip") throws -> ImportRun {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent(name)
      try archive.write(to: file)
      return try ImportRun(paths: [file])
    }
  }

  private static let har = HARText.archive([HARText.entry()])

  @Test func recordingsOfPlaywrightReadTheContentsBesideThem() throws {
    let name = "\(String(repeating: "0a", count: 20)).json"
    let content = #"{"size": -1, "mimeType": "application/json", "_file": "\#(name)"}"#
    let har = HARText.archive([HARText.entry(content: content)])
    // The content looks like a description, and is none of the inputs.
    let body = #"{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}"#
    let run = try run(ZipText(["har.har": har, name: body]).data, named: "checkout.har.zip")
    #expect(run.result.scenarios.map(\.name.rawValue) == ["checkout"])
    #expect(
      run.stubs[0].responses[0].body
        == .json(["openapi": "3.1.0", "paths": ["/a": ["get": [:]]]]))
    #expect(run.unknown == [])
  }

  @Test func archivesAreReadAsTheirFoldersAre() throws {
    let files = [
      "mocks/mappings/orders/create.json":
        #"{"request": {"method": "POST", "urlPath": "/o"}, "response": {"bodyFileName": "o.txt"}}"#,
      "mocks/mappings/users/me.json":
        #"{"request": {"urlPath": "/me"}, "response": {"status": 204}}"#,
      "mocks/__files/o.txt": "fine", "__MACOSX/mocks/._a.json": "{", "mocks/.DS_Store": "x",
      "mocks/recordings/shop.har": Self.har, "mocks/readme.txt": "read me",
    ]
    try withTemporaryFolder { folder in
      for (path, text) in files {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      let unpacked = try ImportRun(folder: folder.appendingPathComponent("mocks"))
      var archive = ZipText(files)
      archive.entries.insert(ZipText.Entry("mocks/", ""), at: 0)
      archive.comment = "made by a test"
      let packed = try run(archive.data)
      #expect(packed.documents == unpacked.documents)
      #expect(packed.result.scenarios.count == 4)
      #expect(packed.documents.contains(#""text": "fine""#))
    }
  }

  @Test func archivesInFoldersAreFolders() throws {
    try withTemporaryFolder { folder in
      try ZipText(["har.har": Self.har]).data.write(
        to: folder.appendingPathComponent("checkout.zip"))
      try ZipText([
        "api/shop.yaml": "openapi: 3.0.0\npaths: {/a: {$ref: 'paths/a.yaml'}}",
        "api/paths/a.yaml": "get: {responses: {204: {description: ''}}}",
      ]).data.write(to: folder.appendingPathComponent("docs.zip"))
      try Data("PK\u{3}\u{4}".utf8).write(to: folder.appendingPathComponent("wrong.zip"))
      let run = try ImportRun(folder: folder)
      #expect(run.result.scenarios.map(\.name.rawValue) == ["checkout", "docs/shop"])
      #expect(run.result.scenarios[1].stubs[0].responses[0].status == 204)
      #expect(run.ids(.dropped) == ["unreadable"])
    }
  }

  @Test func deflatedFilesAreUnpacked() throws {
    let har = HARText.archive([
      HARText.entry(content: HARText.content(String(repeating: "a", count: 601)))
    ])
    var entry = ZipText.Entry("shop.har", har)
    entry.method = 8
    // One stored block of deflate: its length, and the length's complement.
    let size = entry.size
    let length = [size & 0xFF, size >> 8, ~size & 0xFF, ~size >> 8 & 0xFF].map(UInt8.init)
    entry.packed = Data([1] + length) + entry.packed
    #expect(try run(ZipText([entry]).data).stubs.count == 1)
    // A size that follows the content.
    entry.flags |= 0x8
    entry.localSize = 0
    #expect(try run(ZipText([entry]).data).stubs.count == 1)
    // It unpacks to more than it says.
    entry.size = 10
    let error = #expect(throws: FormatError.self) { try run(ZipText([entry]).data) }
    #expect(error?.message.contains("more bytes than the directory says") == true)
    entry.size = size
    entry.packed.append(0)
    #expect(throws: FormatError.self) { try run(ZipText([entry]).data) }
  }

  @Test func filesOfMappingsAreBesideTheirOwnFolder() throws {
    let mapping = #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "body.txt"}}"#
    let archive = ZipText([
      "one/mappings/x/a.json": mapping, "one/__files/body.txt": "one",
      "two/mappings/y/a.json": mapping, "two/__files/body.txt": "two",
    ])
    try withTemporaryFolder { folder in
      try archive.data.write(to: folder.appendingPathComponent("mocks.zip"))
      for run in [try run(archive.data), try ImportRun(folder: folder)] {
        let bodies = run.result.scenarios.flatMap(\.stubs).map(\.responses[0].body)
        #expect(Set(bodies) == [.text("one"), .text("two")])
      }
    }
  }

  @Test func theChecksumIsThatOfTheStandard() throws {
    #expect(ContentDecoding.checksum(of: Data("123456789".utf8)) == 0xCBF4_3926)
    // Made with zlib: a list of 201 numbers.
    let packed = Data([
      0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x52, 0x88, 0x36, 0xD4, 0x51, 0x18, 0x45, 0xA3, 0x88, 0xFA,
      0x28, 0xB6, 0x16, 0x00,
    ])
    let text = #"{"a": ["# + String(repeating: "1, ", count: 200) + "1]}"
    #expect(try ContentDecoding.rawDeflate(packed, limit: 610) == Data(text.utf8))
    let error = #expect(throws: ContentDecodingError.self) {
      try ContentDecoding.rawDeflate(packed, limit: 609)
    }
    #expect(error?.isTooLarge == true)
    #expect(throws: ContentDecodingError.self) {
      try ContentDecoding.rawDeflate(packed.dropLast(), limit: 610)
    }
  }

  private struct Refusal: CustomTestStringConvertible, Sendable {
    var why: String
    var name = "a.har"
    var make: @Sendable (inout ZipText.Entry) -> Void = { _ in }
    var testDescription: String { "\(why) \(name)" }
  }

  @Test(arguments: [
    Refusal(why: "is encrypted") { $0.flags |= 1 },
    Refusal(why: "is packed by method 12") { $0.method = 12 },
    Refusal(why: "zip64") { $0.size = 0xFFFF_FFFF },
    Refusal(why: "leaves the archive", name: "a/../../b.har"),
    Refusal(why: "leaves the archive", name: ".."),
    Refusal(why: "absolute path", name: "/etc/passwd"),
    Refusal(why: "absolute path", name: "C:a.har"),
    Refusal(why: "backslash", name: #"a\b.har"#),
    Refusal(why: "control characters", name: "a\u{1B}[0m.har"),
    Refusal(why: "no name", name: ""),
    Refusal(why: "not plain", name: "a//b.har"),
    Refusal(why: "symbolic link") { $0.mode = 0xA1FF },
    Refusal(why: "no regular file") { $0.mode = 0x1000 },
    Refusal(why: "the directory says") { $0.size += 1 },
    Refusal(why: "the directory says") { $0.localSize = 7 },
    Refusal(why: "the directory says") { $0.localName = "b.har" },
    Refusal(why: "checksum is wrong") { $0.checksum ^= 1 },
    Refusal(why: "cannot be unpacked") { $0.method = 8 },
    Refusal(why: "has 67108865 bytes") { $0.size = 64 * 1024 * 1024 + 1 },
    Refusal(why: "times as many") { $0.size = 20 * 1024 * 1024 },
    Refusal(why: "not where the directory says") { $0.shift = -1 },
    Refusal(why: "folder with content", name: "a/"),
    Refusal(why: "archive itself") { $0 = ZipText.Entry("a.har", ZipText([:]).data) },
  ])
  private func entriesThatAreNotSoundAreNamed(refusal: Refusal) throws {
    var entry = ZipText.Entry(refusal.name, Self.har)
    refusal.make(&entry)
    for entries in [[entry], [ZipText.Entry("first.har", Self.har), entry]] {
      let error = #expect(throws: FormatError.self) { try run(ZipText(entries).data) }
      #expect(error?.file == "shop.zip")
      #expect(error?.message.contains(refusal.why) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(refusal.name.debugDescription) == true)
    }
  }

  @Test func entriesAreThereOnceAndHaveBytesOfTheirOwn() throws {
    let entry = ZipText.Entry("a.har", Self.har)
    let twice = #expect(throws: FormatError.self) { try run(ZipText([entry, entry]).data) }
    #expect(twice?.message.contains("twice") == true)
    var inner = ZipText([ZipText.Entry("b.har", Self.har)])
    inner.gap = 4
    var other = ZipText.Entry("b.har", Self.har)
    let outer = ZipText.Entry("c.bin", inner.data)
    // The directory says that the entry is the one inside of the content before it.
    other.shift = inner.data.count
    let shared = #expect(throws: FormatError.self) { try run(ZipText([outer, other]).data) }
    #expect(shared?.message.contains("shares its bytes") == true, "\(shared?.message ?? "")")
  }

  @Test func everyBeginningOfAnArchiveIsRefused() throws {
    let archive = ZipText(["a.har": Self.har, "b/": ""]).data
    for count in stride(from: 4, to: archive.count, by: 7) {
      #expect(throws: FormatError.self) { try run(archive.prefix(count)) }
    }
    var many = ZipText([:])
    many.entries = (0...10_000).map { ZipText.Entry("\($0)", "") }
    let error = #expect(throws: FormatError.self) { try run(many.data) }
    #expect(error?.message.contains("10001 entries") == true)
  }

  @Test func changedBytesGiveAnErrorOrAnImport() throws {
    let archive = ZipText(["a.har": Self.har, "b.txt": "b"]).data
    for place in archive.indices where place < 40 || place > archive.count - 140 {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = archive
        damaged[place] = value
        do { _ = try run(damaged) } catch { #expect(error is FormatError) }
      }
    }
  }

  @Test func sessionsOfCharlesAreRefusedWithTheWayOut() throws {
    for (name, archive) in [
      ("a.chlz", ZipText(["a": ""])),
      ("a.zip", ZipText(["0-meta.json": "{}", "0-res.json": "{}"])),
    ] {
      let error = #expect(throws: FormatError.self) { try run(archive.data, named: name) }
      #expect(error?.message.contains("export it as HAR") == true)
    }
  }

  @Test func filesOutsideOfTheArchiveAreRefused() throws {
    try withTemporaryFolder { folder in
      for name in ["../a.txt", "/etc/passwd", "a.txt"] {
        let content = #"{"size": -1, "mimeType": "text/plain", "_file": "\#(name)"}"#
        let har = HARText.archive([HARText.entry(content: content)])
        let file = folder.appendingPathComponent("shop.zip")
        try ZipText(["shop.har": har]).data.write(to: file)
        try Data("beside".utf8).write(to: folder.appendingPathComponent("a.txt"))
        let error = #expect(throws: FormatError.self) { try ImportRun(paths: [file]) }
        #expect(error?.message.contains(name) == true)
      }
    }
  }
}
