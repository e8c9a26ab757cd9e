// swift-tools-version: 6.1
import PackageDescription

// Tests that must fail, and tests beside them that must not: scripts/test-failing-fixture runs them and compares.
// PageTests and PageXCTests contain the Swift blocks of README.md and docs, which scripts/extract-pages writes.
let package = Package(
  name: "FailingTests",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "stubdb", path: "../../..")],
  targets: [
    .testTarget(
      name: "FailingSwiftTests",
      dependencies: [
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBTestingRecording", package: "stubdb"),
        .product(name: "StubDBValidation", package: "stubdb"),
        .product(name: "StubDBUITesting", package: "stubdb"),
      ]),
    .testTarget(
      name: "FailingXCTests",
      dependencies: [
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBUITesting", package: "stubdb"),
      ]),
    .testTarget(
      name: "PageTests",
      dependencies: [
        .product(name: "StubDB", package: "stubdb"),
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBHTTPTypes", package: "stubdb"),
        .product(name: "StubDBUITesting", package: "stubdb"),
      ]),
    .testTarget(
      name: "PageXCTests",
      dependencies: [
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBUITesting", package: "stubdb"),
      ]),
  ])
