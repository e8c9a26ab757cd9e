// swift-tools-version: 6.1
import PackageDescription

// Members must come with their types: one import of stubdb is enough.
let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "ShopApp",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [.library(name: "ShopApp", targets: ["ShopApp"])],
  dependencies: [.package(name: "stubdb", path: "../..")],
  targets: [
    // The app itself knows nothing of stubdb.
    .target(name: "ShopApp"),
    // The app started with a scenario in place of the network.
    .executableTarget(
      name: "ShopPreview",
      dependencies: ["ShopApp", .product(name: "StubDB", package: "stubdb")],
      swiftSettings: settings),
    .testTarget(
      name: "ShopAppTests",
      dependencies: ["ShopApp", .product(name: "StubDBTesting", package: "stubdb")],
      swiftSettings: settings),
    .testTarget(
      name: "ShopAppXCTests",
      dependencies: ["ShopApp", .product(name: "StubDBTesting", package: "stubdb")],
      swiftSettings: settings),
  ])
