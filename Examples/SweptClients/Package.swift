// swift-tools-version: 6.1
import PackageDescription

// Public clients, put through the sweeps with the catalog of SweptShop: nothing may be found. A package of its own, so
// that only scripts/test-sweeps --clients fetches them.
let package = Package(
  name: "SweptClients",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    .package(name: "stubdb", path: "../.."),
    .package(url: "https://github.com/Alamofire/Alamofire", from: "5.11.0"),
    .package(url: "https://github.com/kean/Get", from: "2.2.0"),
  ],
  targets: [
    .testTarget(
      name: "SweptClientsTests",
      dependencies: [
        "Alamofire", "Get",
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "StubDBSweeps", package: "stubdb"),
      ])
  ])
