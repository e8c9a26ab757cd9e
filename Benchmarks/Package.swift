// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that users and developers of stubdb do not build it by default.
let package = Package(
  name: "stubdb-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "stubdb", path: "..")],
  targets: [
    .target(name: "CRows", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["CRows", .product(name: "StubDB", package: "stubdb")],
      swiftSettings: [
        // Some rows compare with loops over compiled values, which only the package itself sees.
        .unsafeFlags(["-Xfrontend", "-disable-access-control"])
      ]),
  ]
)
