import Foundation

/// The CPU time of a cold debug build of a package whose tests use `StubDBTesting`, beyond that of the same package
/// without.
///
/// In units of what swift-http-types costs, which is among what has to be built: CPU seconds change twofold with the
/// machine. The budget is 75 CPU seconds of a machine on which swift-http-types takes 3.1.
enum TestTargetRow {
  private static let limit = 75 / 3.1

  static func measure(in folder: URL) throws -> [Row] {
    func price(_ name: String, _ product: String) throws -> Double {
      try coldBuild(in: folder.appendingPathComponent(name), using: product)
    }
    let without = try price("Without", "")
    let types = try price(
      "Types", #".product(name: "HTTPTypes", package: "swift-http-types")"#)
    let with = try price("With", #".product(name: "StubDBTesting", package: "stubdb")"#)
    return [
      .atMost(
        limit, (with - without) / (types - without),
        name: "cold debug build of tests that use StubDBTesting",
        detail: """
          \(format(with - without)) CPU s (\(format(with)) against \(format(without)) without) \
          where swift-http-types takes \(format(types - without))
          """)
    ]
  }

  /// Makes a package, resolves what it depends on, and gives the CPU seconds of building its tests.
  private static func coldBuild(in folder: URL, using product: String) throws -> Double {
    let tests = folder.appendingPathComponent("Tests/PriceTests")
    try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
    try Data(manifest(product).utf8)
      .write(to: folder.appendingPathComponent("Package.swift"))
    try Data(test(product).utf8)
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

  private static func manifest(_ product: String) -> String {
    // Beside `Benchmarks`, where the program runs.
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .deletingLastPathComponent().path
    return """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "Price",
        platforms: [.macOS(.v13)],
        dependencies: [
          .package(name: "stubdb", path: "\(package)"),
          .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        ],
        targets: [.testTarget(name: "PriceTests", dependencies: [\(product)])]
      )

      """
  }

  private static func test(_ product: String) -> String {
    """
    import Foundation
    \(product.contains("Testing") ? "import StubDBTesting" : "")
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
