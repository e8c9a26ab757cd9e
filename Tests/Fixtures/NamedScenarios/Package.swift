// swift-tools-version: 6.1
import PackageDescription

// Tests that name their scenarios in Swift: scripts/test-names copies this package, and gives it a catalog.
let package = Package(
  name: "NamedScenarios",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "stubdb", path: "../../..")],
  targets: [
    .testTarget(
      name: "NamedTests",
      dependencies: [.product(name: "StubDBTesting", package: "stubdb")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ],
      plugins: [.plugin(name: "StubDBNames", package: "stubdb")])
  ])
