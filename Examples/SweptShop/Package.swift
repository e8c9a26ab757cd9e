// swift-tools-version: 6.1
import PackageDescription

// Members must come with their types: one import of stubdb is enough.
let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "SweptShop",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "stubdb", path: "../..")],
  targets: [
    // The clients know nothing of stubdb.
    .target(name: "SweptShop"),
    .testTarget(
      name: "SweptShopTests",
      dependencies: [
        "SweptShop",
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBSweeps", package: "stubdb"),
      ],
      swiftSettings: settings),
  ])
