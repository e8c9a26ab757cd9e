import Foundation
import StubDB
import StubDBTestSupport
import Testing

@testable import StubDBTesting

@Suite struct CatalogLookupTests {
  /// Runs the closure with a new folder.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = try makeTemporaryFolder().standardizedFileURL
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Tests/AppTests"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func makeCatalog(_ url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try Catalog.create(at: url)
  }

  @Test func aMissingCatalogNamesThoseThatAreThere() throws {
    try inFolder { folder in
      let there = folder.appendingPathComponent("shop.stubdb")
      try makeCatalog(there)
      let source = folder.appendingPathComponent("Tests/AppTests/CheckoutTests.swift").path
      let error = #expect(throws: CatalogError.self) {
        try CatalogLookup(path: "shop.sqlite", sourceFile: source).open()
      }
      #expect(error?.code == .notFound)
      #expect(
        error?.message.contains("\nThese catalogs are there:\n  \(there.path)") == true,
        "\(error as Any)")
    }
  }

  @Test func nearestFolderAboveTheSourceFileCounts() throws {
    try inFolder { folder in
      let source = folder.appendingPathComponent("Tests/AppTests/CheckoutTests.swift").path
      let lookup = CatalogLookup(path: "Fixtures/shop.stubdb", sourceFile: source)
      let outer = folder.appendingPathComponent("Fixtures/shop.stubdb")
      let inner = folder.appendingPathComponent("Tests/Fixtures/shop.stubdb")
      try makeCatalog(outer)
      #expect(try lookup.open().url.path == outer.path)
      try makeCatalog(inner)
      #expect(try lookup.open().url.path == inner.path)
    }
  }

  @Test func absolutePathIsTakenAsItIs() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("shop.stubdb")
      try makeCatalog(file)
      let lookup = CatalogLookup(path: file.path, sourceFile: "/elsewhere/Tests.swift")
      #expect(try lookup.open().url.path == file.path)
    }
  }

  @Test func missingCatalogIsReportedWithThePlaces() throws {
    try inFolder { folder in
      let source = folder.appendingPathComponent("Tests/AppTests/CheckoutTests.swift").path
      let lookup = CatalogLookup(path: "Fixtures/shop.stubdb", sourceFile: source)
      let error = #expect(throws: CatalogError.self) { try lookup.open() }
      #expect(error?.code == .notFound)
      let places = try #require(error?.description.split(separator: "\n").dropFirst())
      #expect(
        places.prefix(3) == [
          "  \(folder.path)/Tests/AppTests/Fixtures/shop.stubdb",
          "  \(folder.path)/Tests/Fixtures/shop.stubdb",
          "  \(folder.path)/Fixtures/shop.stubdb",
        ])
      #expect(places.map { $0.dropFirst(2) } == lookup.candidates().map { Substring($0.path) })
    }
  }

  @Test func theResourcesOfANamedBundleAloneCount() throws {
    try inFolder { folder in
      let source = folder.appendingPathComponent("Tests/AppTests/CheckoutTests.swift").path
      try makeCatalog(folder.appendingPathComponent("Tests/AppTests/Fixtures/shop.stubdb"))
      let resources = folder.appendingPathComponent("App.bundle")
      try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
      let lookup = CatalogLookup(
        path: "Fixtures/shop.stubdb", sourceFile: source, resources: resources)
      let error = #expect(throws: CatalogError.self) { try lookup.open() }
      #expect(error?.code == .notFound)
      let message = try #require(error?.message)
      #expect(
        message.hasPrefix(
          "There is no resource \"Fixtures/shop.stubdb\" in the bundle \(resources.path). In Package.swift, the test "
            + "target needs: resources: [.copy(\"Fixtures/shop.stubdb\")]"))
      // As a group of Xcode leaves it.
      try makeCatalog(resources.appendingPathComponent("shop.stubdb"))
      #expect(try lookup.open().url.path == resources.path + "/shop.stubdb")
    }
  }
  @Test func withoutTheSourcesTheResourceIsNamed() throws {
    try inFolder { folder in
      let source = folder.appendingPathComponent("gone/AppTests/CheckoutTests.swift").path
      let error = #expect(throws: CatalogError.self) {
        try CatalogLookup(path: "Fixtures/shop.stubdb", sourceFile: source).open()
      }
      let message = try #require(error?.message)
      #expect(
        message.hasPrefix(
          "There is no resource \"Fixtures/shop.stubdb\" of the tests, whose sources are not on this machine. In "
            + "Package.swift, the test target needs: resources: [.copy(\"Fixtures/shop.stubdb\")]"))
      #expect(!message.contains("\(folder.path)/gone"))
    }
  }
}
