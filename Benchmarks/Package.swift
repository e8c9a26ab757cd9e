// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that users and developers of stubdb do not build it by default.
let package = Package(
  name: "stubdb-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "stubdb", path: ".."),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
  ],
  targets: [
    .target(name: "CRows", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CRows", .product(name: "StubDB", package: "stubdb"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: [
        // Some rows compare with loops over compiled values, which only the package itself sees.
        .unsafeFlags(["-Xfrontend", "-disable-access-control"])
      ]),
    // Tests in programs of their own: whether tests leave journals is decided by what a program is linked with.
    .target(
      name: "MeasuredTests",
      dependencies: [.product(name: "StubDBTesting", package: "stubdb")]),
    .executableTarget(name: "TestsAlone", dependencies: ["MeasuredTests"]),
    .executableTarget(
      name: "TestsWithJournals",
      dependencies: [
        "MeasuredTests", .product(name: "StubDBTestingRecording", package: "stubdb"),
      ]),
    // Also in a program of its own, so that no other row pays for what repeats tests.
    .executableTarget(
      name: "SweepTests",
      dependencies: [
        .product(name: "StubDBSweeps", package: "stubdb"),
        .product(name: "StubDBTesting", package: "stubdb"),
      ]),
  ]
)
