import Foundation
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

/// Inputs of a size at which work that grows with its square does not end within a test run.
@Suite struct LargeImportTests {
  @Test func pointersOfAllElementsAreFound() throws {
    let count = 200_000
    let text = #"{"list": [\#((0..<count).map { "[\($0)]" }.joined(separator: ","))]}"#
    let input = try ImportInput(
      file: "a.json", path: ["a"], bytes: Data(text.utf8), log: ReportLog())
    let elements = try #require(input.tree?.root["list"]?.elements)
    #expect(elements.count == count)
    for (place, element) in elements.enumerated().reversed() {
      let inner = try #require(element.elements.first)
      guard inner.pointer.tokens == ["list", "\(place)", "0"] else {
        Issue.record("\(inner.pointer) is not the pointer of element \(place)")
        return
      }
    }
  }

  @Test func valuesThatBelongToNoStubAreReported() throws {
    let count = 20_000
    let list = (0..<count).map {
      #"{"scope": "https://a.test", "path": "/\#($0)", "status": 204, "x\#($0)": 1}"#
    }
    let run = try ImportRun("a.json", "[\(list.joined(separator: ","))]")
    #expect(run.stubs.count == count)
    #expect(run.unknown.count == count)
    #expect(run.result.report.lines.last?.pointer == "/\(count - 1)/x\(count - 1)")
    #expect(run.result.report.lines.last?.key == run.stubs.last?.key.rawValue)
  }

  @Test func statesOfOneNameAreScenariosOfTheirOwn() throws {
    let count = 3_000
    let interactions = (0..<count).map { number in
      let letter = Unicode.Scalar(UInt32(0x4E00 + number)).map(String.init) ?? ""
      return """
        {"description": "d", "providerState": "a \(letter)", "request": {"method": "GET", "path": "/a"},
         "response": {"status": 200}}
        """
    }
    let run = try ImportRun(
      "a.json",
      #"{"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [\#(interactions.joined(separator: ","))]}"#
    )
    #expect(run.result.scenarios.count == count)
    #expect(run.result.scenarios.last?.name == ScenarioName("a-b/a-\(count)"))
  }

  @Test func commandsOfCurlMayBeLong() throws {
    let many = String(repeating: "$A,", count: 200_000)
    let text = "[\(String(repeating: "\"abcdefgh\",", count: 200_000))1]"
    let run = try ImportRun(
      "a.sh",
      """
      curl https://h.test/$A$A$A/x -d "\(many)"
      curl "https://h.test/\(String(repeating: "$A", count: 50_000))"
      curl https://h.test/text -d '\(text)'
      """)
    #expect(run.ids(.dropped) == ["stub-left-out"])
    #expect(run.stubs.map(\.request.path) == [.value(.matches("/[^/]+")), .template("/text")])
    #expect(run.stubs[1].request.body == [.equalToJSON(try JSONValue(parsing: text))])
  }

  @Test func everyBadFileOfAFolderIsReadOnce() throws {
    let log = ReportLog()
    let bad = #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "none"}}"#
    let good = #"{"request": {"urlPath": "/b"}, "response": {}}"#
    let inputs = try (0..<400).map { number in
      try ImportInput(
        file: "m/\(number).json", path: ["\(number)"], rootName: "m",
        bytes: Data((number.isMultiple(of: 2) ? bad : good).utf8), log: log)
    }
    let result = try Importer(log: log).scenarios(of: inputs)
    #expect(result.scenarios.map(\.stubs.count) == [200])
    #expect(result.report.lines.map(\.id).count { $0 == .unreadable } == 200)
    // One for each file, so that none was read again.
    #expect(log.beginItem().number == 401)
  }
}
