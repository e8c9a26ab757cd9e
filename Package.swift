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
    .library(name: "StubDBTestingRecording", targets: ["StubDBTestingRecording"]),
    .library(name: "StubDBUITesting", targets: ["StubDBUITesting"]),
    .library(name: "StubDBValidation", targets: ["StubDBValidation"]),
    .library(name: "StubDBSweeps", targets: ["StubDBSweeps"]),
    .library(name: "StubDBRecording", targets: ["StubDBRecording"]),
    .library(name: "StubDBServer", targets: ["StubDBServer"]),
    .library(name: "StubDBHTTPTypes", targets: ["StubDBHTTPTypes"]),
    // The table that every front end plays, for those in packages of their own: Adapters, and any other.
    .library(name: "StubDBConformance", targets: ["StubDBConformance"]),
    .executable(name: "stubdb", targets: ["StubDBCommand"]),
    .executable(name: "stubdb-demo", targets: ["StubDBDemo"]),
    .executable(name: "stubdb-fetch", targets: ["StubDBFetch"]),
  ],
  traits: [
    .trait(
      name: "Server", description: "`stubdb serve`: scenarios for everything that speaks HTTP"),
    .trait(
      name: "TLS", description: "`stubdb serve` with TLS", enabledTraits: ["Server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.34.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.42.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.18.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"6.0.0"),
  ],
  targets: [
    // values
    .target(name: "CStubDBSHA256"),
    .target(
      name: "StubDBSupport",
      dependencies: [
        .target(name: "CStubDBSHA256", condition: .when(platforms: [.linux, .android]))
      ],
      swiftSettings: swiftSettings),
    .target(name: "StubDBJSON", dependencies: ["StubDBSupport"], swiftSettings: swiftSettings),
    .target(name: "StubDBJobs", dependencies: ["StubDBSupport"], swiftSettings: swiftSettings),
    .target(
      name: "StubDBModel",
      dependencies: [
        "StubDBJSON", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBDocuments",
      dependencies: [
        "StubDBJSON", "StubDBModel", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .target(name: "StubDBXML", swiftSettings: swiftSettings),
    .target(name: "StubDBFiles", dependencies: ["StubDBSupport"], swiftSettings: swiftSettings),

    .target(
      name: "StubDBChanges",
      dependencies: [
        "StubDBJobs", "StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBSupport",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "StubDBTemplates", dependencies: ["StubDBSupport"], swiftSettings: swiftSettings),

    // meaning
    .target(
      name: "StubDBEngine",
      dependencies: [
        "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBTemplates", "StubDBXML",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBDrift",
      dependencies: [
        "StubDBDocuments",
        "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBXML",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // Which patterns accept what others accept, without a request.
    .target(
      name: "StubDBContainment",
      dependencies: [
        "StubDBDocuments",
        "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBXML",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // Descriptions of APIs that a catalog keeps, and requests compared with them.
    .target(
      name: "StubDBDescriptions",
      dependencies: [
        "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBSecrets",
      dependencies: ["StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBSupport"],
      swiftSettings: swiftSettings),

    // What loading a scenario needs of published catalogs; the network and writing are StubDBRemote's.
    .target(
      name: "StubDBLock", dependencies: ["StubDBJSON", "StubDBModel", "StubDBSupport"],
      swiftSettings: swiftSettings),

    // files
    .systemLibrary(
      name: "CStubDBSQLite",
      path: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(
      name: "StubDBCatalog",
      dependencies: [
        "CStubDBSQLite", "StubDBEngine", "StubDBJSON", "StubDBLock", "StubDBModel", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBCatalogEditing",
      dependencies: [
        "StubDBFiles",
        "StubDBDocuments",
        "StubDBContainment",
        "StubDBChanges",
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBLock", "StubDBModel",
        "StubDBSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBMirror",
      dependencies: [
        "StubDBFiles",
        "StubDBDocuments",
        "StubDBJSON", "StubDBModel", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBRemote",
      dependencies: [
        "StubDBFiles",
        "StubDBDocuments",
        "StubDBJSON", "StubDBLock", "StubDBModel", "StubDBSupport",
      ],
      swiftSettings: swiftSettings),

    // playing
    .target(
      name: "StubDBPlayback",
      dependencies: [
        "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // What only a server, the command line and assistants play.
    .target(
      name: "StubDBServing",
      dependencies: [
        "StubDBDocuments",
        "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // What tests are repeated under, and what became of it; the command line reads the same.
    .target(
      name: "StubDBVariations",
      dependencies: [
        "StubDBCatalog", "StubDBDescriptions", "StubDBDrift", "StubDBEngine", "StubDBJSON",
        "StubDBModel", "StubDBPlayback", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // other tools
    .target(
      name: "StubDBSwiftNames", dependencies: ["StubDBModel"], swiftSettings: swiftSettings),
    .target(
      name: "StubDBFormats",
      dependencies: [
        "StubDBJobs",
        "StubDBDocuments",
        "StubDBServing",
        "StubDBContainment", "StubDBDescriptions",
        "StubDBDrift", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSecrets", "StubDBSupport", "StubDBTemplates", "StubDBXML",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBRecording",
      dependencies: [
        "StubDBFiles",
        "StubDBDocuments",
        "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSecrets",
        "StubDBServing", "StubDBSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBGit",
      dependencies: [
        "StubDBFiles",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBEngine", "StubDBFormats",
        "StubDBJobs", "StubDBLock", "StubDBMirror", "StubDBModel", "StubDBPlayback",
        "StubDBSupport",
      ],
      swiftSettings: swiftSettings),

    // doing
    .target(
      name: "StubDBEditing",
      dependencies: [
        "StubDBFiles",
        "StubDBDescriptions",
        "StubDBDrift",
        "StubDBDocuments",
        "StubDBContainment",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBEngine", "StubDBFormats",
        "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback", "StubDBRecording",
        "StubDBSecrets",
        "StubDBSupport", "StubDBVariations",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBPublishing",
      dependencies: [
        "StubDBFiles",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBEngine", "StubDBGit",
        "StubDBJobs", "StubDBLock", "StubDBModel", "StubDBRemote", "StubDBSecrets", "StubDBSupport",
      ],
      swiftSettings: swiftSettings),

    // network
    .target(
      name: "StubDBURLProtocol",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "StubDBHTTPTypes",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // Empty without the trait, so that a package that only tests fetches and builds no NIO.
    .target(
      name: "StubDBServer",
      dependencies: [
        "StubDBContainment",
        "StubDBServing",
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport",
        .target(name: "StubDBCatalogEditing", condition: .when(traits: ["Server"])),
        .target(name: "StubDBEditing", condition: .when(traits: ["Server"])),
        .target(name: "StubDBDocuments", condition: .when(traits: ["Server"])),
        .target(name: "StubDBFiles", condition: .when(traits: ["Server"])),
        .target(name: "StubDBFormats", condition: .when(traits: ["Server"])),
        .target(name: "StubDBRecording", condition: .when(traits: ["Server"])),
        .target(name: "StubDBSecrets", condition: .when(traits: ["Server"])),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOWebSocket", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["TLS"])),
        .product(name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["TLS"])),
        .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["TLS"])),
        .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["TLS"])),
        .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["TLS"])),
      ],
      exclude: ["Admin/openapi.json", "Page/web"],
      swiftSettings: swiftSettings),

    // doing
    .target(
      name: "StubDBTransfer",
      dependencies: [
        "StubDBServing",
        "StubDBFiles",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBDescriptions",
        "StubDBDocuments", "StubDBDrift",
        "StubDBEditing", "StubDBEngine", "StubDBFormats", "StubDBJSON", "StubDBJobs",
        "StubDBMirror", "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBSecrets",
        "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // people
    .target(
      name: "StubDBMCP",
      dependencies: [
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBDocuments", "StubDBEditing",
        "StubDBEngine", "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback",
        "StubDBSecrets", "StubDBServing", "StubDBSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "StubDB",
      dependencies: [
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBDocuments", "StubDBEngine", "StubDBJSON",
        "StubDBModel",
        "StubDBPlayback", "StubDBURLProtocol",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "StubDBTesting",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport", "StubDBURLProtocol",
        .target(name: "StubDBServer", condition: .when(traits: ["Server"])),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    // Apart from StubDBTesting, so that tests which only play build nothing that finds secrets and writes drafts.
    .target(
      name: "StubDBTestingRecording",
      dependencies: [
        "StubDBCatalog", "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBTesting",
      ],
      swiftSettings: swiftSettings),
    // Apart from StubDBTesting, so that tests which check no requests build nothing that reads descriptions.
    .target(
      name: "StubDBValidation",
      dependencies: [
        "StubDBCatalog", "StubDBDescriptions", "StubDBDrift", "StubDBEngine", "StubDBModel",
        "StubDBPlayback", "StubDBSupport",
      ],
      swiftSettings: swiftSettings),
    // Apart from StubDBTesting, so that tests which are not repeated build nothing that repeats them.
    .target(
      name: "StubDBSweeps",
      dependencies: [
        "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport", "StubDBTesting", "StubDBURLProtocol", "StubDBVariations",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    // Sessions of a running `stubdb serve`, for tests of other processes; a client of its admin API that needs nothing.
    .target(name: "StubDBUITesting", swiftSettings: swiftSettings),
    .executableTarget(
      name: "StubDBDemo",
      dependencies: ["StubDBCatalog", "StubDBPlayback", "StubDBURLProtocol"],
      swiftSettings: swiftSettings),
    // What the plugin StubDBNames runs.
    .executableTarget(
      name: "StubDBNamesTool",
      dependencies: ["StubDBCatalog", "StubDBCatalogEditing", "StubDBSwiftNames"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "StubDBFetch", dependencies: ["StubDBDrift", "StubDBRemote", "StubDBSupport"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "StubDBCommand",
      dependencies: [
        "StubDBFiles",
        "StubDBContainment", "StubDBDescriptions",
        "StubDBServing",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBDocuments", "StubDBDrift",
        "StubDBEditing", "StubDBEngine", "StubDBFormats", "StubDBGit", "StubDBJobs", "StubDBMCP",
        "StubDBMirror", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBPublishing",
        "StubDBRecording", "StubDBRemote", "StubDBSecrets", "StubDBServer", "StubDBSupport",
        "StubDBSwiftNames", "StubDBTransfer", "StubDBValidation", "StubDBVariations",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),

    // tests
    .target(
      name: "StubDBTestSupport", dependencies: ["StubDBSupport"], path: "Tests/Support",
      swiftSettings: swiftSettings),
    .target(
      name: "StubDBConformance",
      dependencies: [
        "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/StubDBConformance",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "CatalogWorker",
      dependencies: [
        "StubDBDocuments",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBEngine", "StubDBJSON", "StubDBModel",
        "StubDBPlayback",
      ],
      path: "Tests/CatalogWorker",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBModelTests",
      dependencies: [
        "StubDBContainment",
        "StubDBDocuments", "StubDBJSON", "StubDBMirror", "StubDBModel", "StubDBTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBSupportTests", dependencies: ["StubDBSupport", "StubDBTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBJSONTests", dependencies: ["StubDBJSON", "StubDBTestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBXMLTests", dependencies: ["StubDBXML"], swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBTemplatesTests", dependencies: ["StubDBTemplates"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBChangesTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBChanges", "StubDBJSON", "StubDBModel", "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBEngineTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBServing", "StubDBContainment",
        "StubDBConformance", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBSupport",
        "StubDBTestSupport", "StubDBXML", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBCatalogTests",
      dependencies: [
        "StubDBFiles",
        "StubDBChanges",
        "StubDBContainment",
        "StubDBDocuments",
        "CatalogWorker", "CStubDBSQLite", "StubDBCatalog", "StubDBCatalogEditing", "StubDBEngine",
        "StubDBJSON",
        "StubDBLock", "StubDBModel", "StubDBRemote", "StubDBSupport", "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .target(name: "ForeignNames", path: "Tests/ForeignNames", swiftSettings: swiftSettings),
    .testTarget(
      name: "MigrationPatternTests",
      dependencies: [
        "StubDBDocuments",
        "ForeignNames", "StubDB", "StubDBHTTPTypes", "StubDBJSON", "StubDBModel", "StubDBSupport",
        "StubDBTestSupport", "StubDBTesting",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBPlaybackTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBServing",
        "StubDBConformance", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
        "StubDBSupport", "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "RecordingWorker",
      dependencies: [
        "StubDBDocuments", "StubDBCatalog", "StubDBPlayback", "StubDBRecording",
        "StubDBURLProtocol",
      ],
      path: "Tests/RecordingWorker",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBURLProtocolTests",
      dependencies: [
        "StubDBDocuments",
        "RecordingWorker", "StubDBCatalog", "StubDBCatalogEditing", "StubDBCommand",
        "StubDBConformance", "StubDBEngine",
        "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBSupport",
        "StubDBTesting", "StubDBTestSupport", "StubDBURLProtocol",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBHTTPTypesTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBConformance", "StubDBEngine", "StubDBHTTPTypes", "StubDBJSON", "StubDBModel",
        "StubDBPlayback",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBServerTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBServing",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBConformance", "StubDBEngine", "StubDBJSON",
        "StubDBModel",
        "StubDBPlayback", "StubDBRecording", "StubDBServer", "StubDBSupport", "StubDBTesting",
        "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
      ],
      exclude: ["websocket_client.py", "wiremock_client.py"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBDriftTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBDrift", "StubDBJSON", "StubDBModel", "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBSecretsTests",
      dependencies: [
        "StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBSecrets", "StubDBSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBFormatsTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBContainment",
        "StubDBDrift", "StubDBEngine", "StubDBFormats", "StubDBHTTPTypes", "StubDBJSON",
        "StubDBModel",
        "StubDBTestSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBSwiftNamesTests",
      dependencies: ["StubDBDocuments", "StubDBModel", "StubDBSwiftNames"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBMirrorTests",
      dependencies: ["StubDBDocuments", "StubDBJSON", "StubDBMirror", "StubDBModel"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBRemoteTests",
      dependencies: [
        "StubDBJobs",
        "StubDBFiles", "StubDBDocuments", "StubDBRemote", "StubDBSupport", "StubDBTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBTransferTests",
      dependencies: [
        "StubDBServing", "StubDBDescriptions", "StubDBValidation",
        "StubDBDocuments",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBDrift", "StubDBEngine", "StubDBFormats",
        "StubDBJSON", "StubDBJobs", "StubDBMirror", "StubDBModel", "StubDBPlayback",
        "StubDBRecording", "StubDBSecrets",
        "StubDBSupport", "StubDBTestSupport", "StubDBTransfer", "StubDBVariations",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBPublishingTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBGit", "StubDBJobs",
        "StubDBModel", "StubDBPublishing", "StubDBRemote", "StubDBSupport", "StubDBTestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBTestingTests",
      dependencies: [
        "StubDBDocuments",
        "CatalogWorker", "StubDB", "StubDBEditing", "StubDBEngine", "StubDBHTTPTypes",
        "StubDBModel", "StubDBPlayback", "StubDBSupport",
        "StubDBTesting", "StubDBTestingRecording", "StubDBTestSupport", "StubDBURLProtocol",
        "StubDBValidation",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBSweepsTests",
      dependencies: [
        "StubDB", "StubDBCommand", "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel",
        "StubDBPlayback",
        "StubDBSupport", "StubDBSweeps", "StubDBTesting", "StubDBTestSupport",
        "StubDBURLProtocol", "StubDBVariations",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBEditingTests",
      dependencies: [
        "StubDBCatalog", "StubDBCatalogEditing", "StubDBContainment", "StubDBDocuments",
        "StubDBEditing", "StubDBEngine", "StubDBGit", "StubDBJSON", "StubDBJobs", "StubDBModel",
        "StubDBPlayback", "StubDBRecording", "StubDBSupport", "StubDBTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StubDBCommandTests",
      dependencies: [
        "StubDBDocuments",
        "StubDBContainment",
        "StubDBCommand", "StubDBDemo", "StubDBFetch", "StubDBCatalog", "StubDBCatalogEditing",
        "StubDBEditing", "StubDBEngine", "StubDBFormats", "StubDBJobs", "StubDBJSON",
        "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBTestSupport", "StubDBUITesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swiftSettings),
  ]
)

// What users' packages run. SwiftPM builds the tools of a root package's plugins a second time (6.3), with all that they
// depend on; strict builds are our own, and go without.
if !strict {
  package.products += [
    .plugin(name: "StubDBNames", targets: ["StubDBNames"]),
    .plugin(name: "StubDBPackageCommand", targets: ["StubDBPackageCommand"]),
  ]
  package.targets += [
    .plugin(name: "StubDBNames", capability: .buildTool(), dependencies: ["StubDBNamesTool"]),
    .plugin(
      name: "StubDBPackageCommand",
      capability: .command(
        intent: .custom(
          verb: "stubdb", description: "Runs stubdb, the command line for catalogs of HTTP stubs"))
    ),
  ]
}
