// swift-tools-version: 6.1
import PackageDescription

// Tests that must fail, and tests beside them that must not: scripts/test-failing-fixture runs them and compares.
let package = Package(
  name: "FailingTests",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "stubdb", path: "../../..")],
  targets: [
    .testTarget(
      name: "FailingSwiftTests",
      dependencies: [.product(name: "StubDBTesting", package: "stubdb")]),
    .testTarget(
      name: "FailingXCTests",
      dependencies: [.product(name: "StubDBTesting", package: "stubdb")]),
  ])
