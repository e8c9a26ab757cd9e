// swift-tools-version: 6.1
import PackageDescription

// `scripts/test` sets STUBDB_STRICT; a package that depends on this one must never see the flag,
// because SwiftPM refuses unsafe flags in dependencies.
let strict = Context.environment["STUBDB_STRICT"] != nil

let swiftSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.unsafeFlags(["-warnings-as-errors"])] : [])

let package = Package(
  name: "stubdb",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "StubDB", targets: ["StubDB"]),
    .library(name: "StubDBTesting", targets: ["StubDBTesting"]),
    .library(name: "StubDBHTTPTypes", targets: ["StubDBHTTPTypes"]),
    .executable(name: "stubdb", targets: ["StubDBCommand"]),
    .executable(name: "stubdb-demo", targets: ["StubDBDemo"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // values
    .target(
      name: "StubDBModel",
      dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: swiftSettings),

    .target(name: "StubDBJSONPath", swiftSettings: swiftSettings),
    .target(name: "StubDBXML", swiftSettings: swiftSettings),

    .target(
      name: "StubDBChanges", dependencies: ["StubDBModel"], swiftSettings: swiftSettings),
    .target(name: "StubDBTemplates", swiftSettings: swiftSettings),

    // meaning
    .target(
      name: "StubDBJSONSchema", dependencies: ["StubDBModel"], swiftSettings: swiftSettings),
    .target(
      name: "StubDBEngine",
      dependencies: [
        "StubDBJSONPath", "StubDBJSONSchema", "StubDBModel", "StubDBTemplates", "StubDBXML",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBSecrets", dependencies: ["StubDBJSONPath", "StubDBModel"],
      swiftSettings: swiftSettings),

    // files
    .systemLibrary(
      name: "CStubDBSQLite",
      path: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "CStubDBSHA256"),
    .target(
      name: "StubDBCatalog",
      dependencies: [
        .target(name: "CStubDBSHA256", condition: .when(platforms: [.linux, .android])),
        "CStubDBSQLite", "StubDBEngine", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBFormats",
      dependencies: ["StubDBModel", .product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: swiftSettings),

    // network
    .target(
      name: "StubDBURLProtocol",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBHTTPTypes",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // people
    .target(
      name: "StubDB",
      dependencies: ["StubDBCatalog", "StubDBEngine", "StubDBModel", "StubDBURLProtocol"],
      swiftSettings: swiftSettings),
    .target(name: "StubDBTesting", dependencies: ["StubDB"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "StubDBDemo",
      dependencies: ["StubDBCatalog", "StubDBURLProtocol"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "StubDBCommand",
      dependencies: [
        "StubDBCatalog", "StubDBChanges", "StubDBEngine", "StubDBFormats",
        "StubDBJSONPath", "StubDBModel", "StubDBSecrets",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // tests
    .target(name: "StubDBTestSupport", path: "Tests/Support", swiftSettings: swiftSettings),
    .target(
      name: "StubDBConformance",
      dependencies: ["StubDBEngine", "StubDBModel"],
      path: "Tests/StubDBConformance",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "CatalogWorker",
      dependencies: ["StubDBCatalog", "StubDBModel"],
      path: "Tests/CatalogWorker",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBModelTests",
      dependencies: ["StubDBFormats", "StubDBModel", "StubDBTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBJSONPathTests", dependencies: ["StubDBJSONPath", "StubDBTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBXMLTests", dependencies: ["StubDBXML"], swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBTemplatesTests", dependencies: ["StubDBTemplates"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBJSONSchemaTests",
      dependencies: ["StubDBJSONSchema", "StubDBModel", "StubDBTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBChangesTests",
      dependencies: [
        "StubDBChanges", "StubDBModel", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBEngineTests",
      dependencies: [
        "StubDBConformance", "StubDBEngine", "StubDBJSONPath", "StubDBJSONSchema", "StubDBModel",
        "StubDBXML", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBCatalogTests",
      dependencies: [
        "CatalogWorker", "CStubDBSQLite", "StubDBCatalog", "StubDBEngine", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "LoopbackServer",
      dependencies: ["StubDBModel"],
      path: "Tests/LoopbackServer",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MigrationPatternTests",
      dependencies: [
        "LoopbackServer", "StubDB", "StubDBHTTPTypes", "StubDBModel", "StubDBTesting",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBURLProtocolTests",
      dependencies: [
        "LoopbackServer", "StubDBCatalog", "StubDBConformance", "StubDBEngine", "StubDBModel",
        "StubDBURLProtocol",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBHTTPTypesTests",
      dependencies: [
        "StubDBConformance", "StubDBEngine", "StubDBHTTPTypes", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBSecretsTests", dependencies: ["StubDBModel", "StubDBSecrets"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBFormatsTests", dependencies: ["StubDBFormats", "StubDBModel"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBTestingTests", dependencies: ["StubDBTesting"], swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBCommandTests",
      dependencies: ["StubDBCommand", "StubDBDemo", "StubDBCatalog", "StubDBModel"],
      swiftSettings: swiftSettings),
  ]
)
