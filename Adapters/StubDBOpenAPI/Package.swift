// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that only who uses swift-openapi-runtime fetches it.
let package = Package(
  name: "StubDBOpenAPI",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [.library(name: "StubDBOpenAPI", targets: ["StubDBOpenAPI"])],
  dependencies: [
    .package(name: "stubdb", path: "../.."),
    .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "StubDBOpenAPI",
      dependencies: [
        .product(name: "StubDBHTTPTypes", package: "stubdb"),
        .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBOpenAPITests",
      dependencies: [
        "StubDBOpenAPI",
        .product(name: "StubDBConformance", package: "stubdb"),
        .product(name: "StubDBTesting", package: "stubdb"),
      ],
      swiftSettings: swiftSettings),
  ])
