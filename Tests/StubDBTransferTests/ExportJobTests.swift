import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJobs
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBTransfer

/// What an export writes over.
struct ExportJobTests {
  private static let scenario = Scenario(
    name: ScenarioName(unchecked: "a/b"),
    stubs: [Stub(key: Stub.Key(unchecked: "me"), request: RequestPattern(methods: [.get]))])

  /// Exports the scenario into a folder.
  private func export(
    _ format: String, to name: String, in folder: URL, replaces: Bool = false
  ) throws -> ExportJob.Prepared {
    let job = ExportJob(
      from: folder.appendingPathComponent("shop.stubdb"),
      as: try #require(ExportFormats.named(format)), options: ExportOptions(),
      to: ExportJob.Output(name, at: folder.appendingPathComponent(name)), replaces: replaces)
    let prepared = try job.prepare([Self.scenario], isWhole: false, log: ReportLog())
    try job.write(prepared)
    return prepared
  }

  @Test func aFileWithOtherContentIsReplacedOnlyIfThatIsAskedFor() throws {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("calls.sh")
      try Data("mine".utf8).write(to: file)
      let error = #expect(throws: JobError.self) {
        _ = try export("curl", to: "calls.sh", in: folder)
      }
      #expect(
        error?.message.description
          == #""calls.sh" is there with other content; nothing was written"#)
      #expect(try Data(contentsOf: file) == Data("mine".utf8))
      let written = try export("curl", to: "calls.sh", in: folder, replaces: true)
      #expect(try Data(contentsOf: file) == written.result.files.first?.content)
      // The same content is no other content.
      _ = try export("curl", to: "calls.sh", in: folder)
    }
  }

  @Test func theCatalogAndFoldersAreNotWrittenOver() throws {
    try withTemporaryFolder { folder in
      let catalog = folder.appendingPathComponent("shop.stubdb")
      try Data("catalog".utf8).write(to: catalog)
      for name in ["shop.stubdb", "."] {
        #expect(throws: JobError.self) {
          _ = try export("curl", to: name, in: folder, replaces: true)
        }
      }
      #expect(try Data(contentsOf: catalog) == Data("catalog".utf8))
    }
  }
}
