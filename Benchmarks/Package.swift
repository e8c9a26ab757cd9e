// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that users and developers of stubdb do not build it by default.
let package = Package(
  name: "stubdb-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "stubdb", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks", dependencies: [.product(name: "StubDB", package: "stubdb")])
  ]
)
