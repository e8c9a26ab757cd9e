import Foundation

/// The CPU time of a cold debug build of a package whose tests use `StubDBTesting`, beyond that of the same package without.
enum TestTargetRow {
  static func measure(in folder: URL) throws -> Row {
    let without = try coldBuild(in: folder.appendingPathComponent("Without"), usesStubDB: false)
    let with = try coldBuild(in: folder.appendingPathComponent("With"), usesStubDB: true)
    return .atMost(
      30, with - without, unit: " CPU s",
      name: "cold debug build of tests that use StubDBTesting",
      detail: "\(format(with)) CPU s against \(format(without)) CPU s without")
  }

  /// Makes a package, resolves what it depends on, and gives the CPU seconds of building its tests.
  private static func coldBuild(in folder: URL, usesStubDB: Bool) throws -> Double {
    let tests = folder.appendingPathComponent("Tests/PriceTests")
    try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
    try Data(manifest(usesStubDB: usesStubDB).utf8)
      .write(to: folder.appendingPathComponent("Package.swift"))
    try Data(test(usesStubDB: usesStubDB).utf8)
      .write(to: tests.appendingPathComponent("PriceTests.swift"))
    func swift(_ arguments: String...) throws {
      try Command.run(
        "/usr/bin/env", ["swift"] + arguments + ["--package-path", folder.path])
    }
    try swift("package", "resolve")
    let before = childrenSeconds()
    try swift("build", "--build-tests")
    return childrenSeconds() - before
  }

  private static func manifest(usesStubDB: Bool) -> String {
    // Beside `Benchmarks`, where the program runs.
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .deletingLastPathComponent().path
    let product = #".product(name: "StubDBTesting", package: "stubdb")"#
    return """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "Price",
        platforms: [.macOS(.v13)],
        dependencies: [.package(name: "stubdb", path: "\(package)")],
        targets: [.testTarget(name: "PriceTests", dependencies: [\(usesStubDB ? product : "")])]
      )

      """
  }

  private static func test(usesStubDB: Bool) -> String {
    """
    import Foundation
    \(usesStubDB ? "import StubDBTesting" : "")
    import Testing

    #if canImport(FoundationNetworking)
      import FoundationNetworking
    #endif

    @Test func answers() { #expect(URLSession.shared.configuration.allowsCellularAccess) }

    """
  }

  /// User and system time of all processes that were started and have ended.
  private static func childrenSeconds() -> Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_CHILDREN, &usage)
    #else
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
