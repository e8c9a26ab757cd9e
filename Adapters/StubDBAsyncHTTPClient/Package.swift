// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that only who uses AsyncHTTPClient fetches it, and SwiftNIO.
let package = Package(
  name: "StubDBAsyncHTTPClient",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "StubDBAsyncHTTPClient", targets: ["StubDBAsyncHTTPClient"])],
  dependencies: [
    .package(name: "stubdb", path: "../.."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
  ],
  targets: [
    .target(
      name: "StubDBAsyncHTTPClient",
      dependencies: [
        .product(name: "StubDBHTTPTypes", package: "stubdb"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBAsyncHTTPClientTests",
      dependencies: [
        "StubDBAsyncHTTPClient",
        .product(name: "StubDBConformance", package: "stubdb"),
        .product(name: "StubDBTesting", package: "stubdb"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: swiftSettings),
  ])
