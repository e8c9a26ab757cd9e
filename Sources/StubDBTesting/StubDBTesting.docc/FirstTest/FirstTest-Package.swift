// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    .package(name: "stubdb", path: "../stubdb")
  ],
  targets: [
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", .product(name: "StubDBTesting", package: "stubdb")]),
  ])
