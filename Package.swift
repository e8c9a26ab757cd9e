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

/// The modules, from the values up to what people use, each with what it imports (`ARCHITECTURE.md`).
let modules: KeyValuePairs<String, [String]> = [
  // values
  "StubDBSupport": ["CStubDBSHA256"],
  "StubDBJSON": ["StubDBSupport"],
  "StubDBXML": [],
  "StubDBTemplates": ["StubDBSupport"],
  "StubDBJobs": ["StubDBSupport"],
  "StubDBFiles": ["StubDBSupport"],
  "StubDBModel": ["StubDBJSON", "StubDBSupport", "HTTPTypes"],
  "StubDBDocuments": ["StubDBJSON", "StubDBModel", "StubDBSupport", "HTTPTypes"],
  // meaning
  "StubDBEngine": [
    "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBTemplates", "StubDBXML", "HTTPTypes",
  ],
  "StubDBChanges": ["StubDBDocuments", "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBSupport"],
  "StubDBDrift": [
    "StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBXML", "HTTPTypes",
  ],
  // Which patterns accept what others accept, without a request.
  "StubDBContainment": [
    "StubDBJSON", "StubDBModel", "StubDBSupport", "StubDBXML", "HTTPTypes",
  ],
  // Descriptions of APIs that a catalog keeps, and requests compared with them.
  "StubDBDescriptions": [
    "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBSupport", "HTTPTypes",
  ],
  "StubDBSecrets": [
    "StubDBDocuments", "StubDBFiles", "StubDBJSON", "StubDBModel", "StubDBSupport",
  ],
  // What loading a scenario needs of published catalogs; the network and writing are StubDBRemote's.
  "StubDBLock": ["StubDBJSON", "StubDBModel", "StubDBSupport"],
  // files
  "StubDBCatalog": [
    "CStubDBSQLite", "StubDBEngine", "StubDBJSON", "StubDBLock", "StubDBModel", "StubDBSupport",
    "HTTPTypes",
  ],
  "StubDBCatalogEditing": [
    "StubDBCatalog", "StubDBChanges", "StubDBContainment", "StubDBDocuments", "StubDBEngine",
    "StubDBFiles", "StubDBJSON", "StubDBLock", "StubDBModel", "StubDBSupport", "HTTPTypes",
  ],
  "StubDBMirror": [
    "StubDBDocuments", "StubDBFiles", "StubDBJSON", "StubDBModel", "StubDBSupport", "HTTPTypes",
  ],
  "StubDBRemote": [
    "StubDBDocuments", "StubDBFiles", "StubDBJSON", "StubDBLock", "StubDBModel", "StubDBSupport",
  ],
  // playing
  "StubDBPlayback": ["StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBSupport", "HTTPTypes"],
  // What only a server, the command line and assistants play.
  "StubDBServing": [
    "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback",
    "StubDBSupport", "HTTPTypes",
  ],
  // What tests are repeated under, and what became of it; the command line reads the same.
  "StubDBVariations": [
    "StubDBCatalog", "StubDBDescriptions", "StubDBDocuments", "StubDBDrift", "StubDBEngine",
    "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport", "HTTPTypes",
  ],
  // other tools
  "StubDBSwiftNames": ["StubDBModel"],
  "StubDBFormats": [
    "StubDBContainment", "StubDBDescriptions", "StubDBDocuments", "StubDBDrift", "StubDBEngine",
    "StubDBFiles", "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback", "StubDBSecrets",
    "StubDBServing", "StubDBSupport", "StubDBTemplates", "StubDBXML", "HTTPTypes", "Yams",
  ],
  "StubDBRecording": [
    "StubDBDocuments", "StubDBEngine", "StubDBFiles", "StubDBJSON", "StubDBModel", "StubDBPlayback",
    "StubDBSecrets", "StubDBServing", "StubDBSupport", "HTTPTypes",
  ],
  "StubDBGit": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBFiles", "StubDBFormats",
    "StubDBJobs", "StubDBLock", "StubDBMirror", "StubDBModel", "StubDBPlayback", "StubDBSupport",
  ],
  // doing
  "StubDBEditing": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBContainment",
    "StubDBDescriptions", "StubDBDocuments", "StubDBDrift", "StubDBEngine", "StubDBFiles",
    "StubDBFormats", "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback", "StubDBRecording",
    "StubDBSecrets", "StubDBSupport", "StubDBVariations", "HTTPTypes",
  ],
  "StubDBPublishing": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBEditing", "StubDBEngine",
    "StubDBFiles", "StubDBGit", "StubDBJobs", "StubDBLock", "StubDBModel", "StubDBRemote",
    "StubDBSecrets", "StubDBSupport",
  ],
  "StubDBTransfer": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBDescriptions",
    "StubDBDocuments", "StubDBDrift", "StubDBEditing", "StubDBEngine", "StubDBFiles",
    "StubDBFormats", "StubDBJSON", "StubDBJobs", "StubDBMirror", "StubDBModel", "StubDBPlayback",
    "StubDBRecording", "StubDBSecrets", "StubDBServing", "StubDBSupport", "HTTPTypes",
  ],
  "StubDBMCP": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBDocuments", "StubDBEditing", "StubDBEngine",
    "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback", "StubDBSecrets", "StubDBServing",
    "StubDBSupport", "HTTPTypes",
  ],
  // network
  "StubDBURLProtocol": [
    "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport",
    "HTTPTypes",
  ],
  "StubDBHTTPTypes": [
    "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport",
    "HTTPTypes",
  ],
  // Empty without the trait, so that a package that only tests fetches and builds no NIO.
  "StubDBServer": [
    "StubDBCatalog", "StubDBContainment", "StubDBEngine", "StubDBJSON", "StubDBModel",
    "StubDBPlayback", "StubDBServing", "StubDBSupport", "HTTPTypes",
  ],
  // people
  "StubDB": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBDocuments", "StubDBEngine", "StubDBJSON",
    "StubDBModel", "StubDBPlayback", "StubDBURLProtocol", "HTTPTypes",
  ],
  "StubDBTesting": [
    "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport",
    "StubDBURLProtocol", "HTTPTypes",
  ],
  // Apart from StubDBTesting, so that tests which only play build nothing that finds secrets and writes drafts.
  "StubDBTestingRecording": [
    "StubDBCatalog", "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBTesting",
  ],
  // Apart from StubDBTesting, so that tests which check no requests build nothing that reads descriptions.
  "StubDBValidation": [
    "StubDBCatalog", "StubDBDescriptions", "StubDBDrift", "StubDBEngine", "StubDBModel",
    "StubDBPlayback", "StubDBSupport",
  ],
  // Apart from StubDBTesting, so that tests which are not repeated build nothing that repeats them.
  "StubDBSweeps": [
    "StubDBCatalog", "StubDBEngine", "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBSupport",
    "StubDBTesting", "StubDBURLProtocol", "StubDBVariations", "HTTPTypes",
  ],
  // Sessions of a running `stubdb serve`, for tests of other processes; a client of its admin API that needs nothing.
  "StubDBUITesting": [],
]

let programs: KeyValuePairs<String, [String]> = [
  "StubDBCommand": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBContainment",
    "StubDBDescriptions", "StubDBDocuments", "StubDBDrift", "StubDBEditing", "StubDBEngine",
    "StubDBFiles", "StubDBFormats", "StubDBGit", "StubDBJSON", "StubDBJobs", "StubDBMCP",
    "StubDBMirror", "StubDBModel", "StubDBPlayback", "StubDBPublishing", "StubDBRecording",
    "StubDBRemote", "StubDBSecrets", "StubDBServer", "StubDBServing", "StubDBSupport",
    "StubDBSwiftNames", "StubDBTransfer", "StubDBValidation", "StubDBVariations", "ArgumentParser",
    "HTTPTypes",
  ],
  "StubDBDemo": ["StubDBCatalog", "StubDBPlayback", "StubDBURLProtocol"],
  "StubDBFetch": ["StubDBDrift", "StubDBRemote", "StubDBSupport"],
  // What the plugin StubDBNames runs.
  "StubDBNamesTool": ["StubDBCatalog", "StubDBCatalogEditing", "StubDBSwiftNames"],
]

/// What tests share, and the programs that they start, in folders of `Tests`.
let testModules: KeyValuePairs<String, [String]> = [
  "StubDBConformance": [
    "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel", "HTTPTypes",
  ],
  "ForeignNames": [],
]
let testPrograms: KeyValuePairs<String, [String]> = [
  "CatalogWorker": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBDocuments", "StubDBEngine", "StubDBJSON",
    "StubDBModel", "StubDBPlayback",
  ],
  "RecordingWorker": [
    "StubDBCatalog", "StubDBDocuments", "StubDBPlayback", "StubDBRecording", "StubDBURLProtocol",
  ],
]

let tests: KeyValuePairs<String, [String]> = [
  "MigrationPatternTests": [
    "ForeignNames", "StubDB", "StubDBDocuments", "StubDBHTTPTypes", "StubDBJSON", "StubDBModel",
    "StubDBSupport", "StubDBTestSupport", "StubDBTesting", "HTTPTypes",
  ],
  "StubDBCatalogTests": [
    "CStubDBSQLite", "CatalogWorker", "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges",
    "StubDBContainment", "StubDBDocuments", "StubDBEngine", "StubDBFiles", "StubDBJSON",
    "StubDBLock", "StubDBModel", "StubDBRemote", "StubDBSupport", "StubDBTestSupport", "HTTPTypes",
  ],
  "StubDBChangesTests": [
    "StubDBChanges", "StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBTestSupport",
    "HTTPTypes",
  ],
  "StubDBCommandTests": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBCommand", "StubDBContainment", "StubDBDemo",
    "StubDBDocuments", "StubDBEditing", "StubDBEngine", "StubDBFetch", "StubDBFormats",
    "StubDBJSON", "StubDBJobs", "StubDBModel", "StubDBPlayback", "StubDBRecording",
    "StubDBTestSupport", "StubDBUITesting", "ArgumentParser", "HTTPTypes",
  ],
  "StubDBDriftTests": [
    "StubDBDocuments", "StubDBDrift", "StubDBJSON", "StubDBModel", "StubDBTestSupport", "HTTPTypes",
  ],
  "StubDBEditingTests": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBContainment", "StubDBDocuments",
    "StubDBEditing", "StubDBEngine", "StubDBGit", "StubDBJSON", "StubDBJobs", "StubDBModel",
    "StubDBPlayback", "StubDBRecording", "StubDBSupport", "StubDBTestSupport", "HTTPTypes",
  ],
  "StubDBEngineTests": [
    "StubDBConformance", "StubDBContainment", "StubDBDocuments", "StubDBEngine", "StubDBJSON",
    "StubDBModel", "StubDBServing", "StubDBSupport", "StubDBTestSupport", "StubDBXML", "HTTPTypes",
  ],
  "StubDBFormatsTests": [
    "StubDBContainment", "StubDBDocuments", "StubDBDrift", "StubDBEngine", "StubDBFormats",
    "StubDBHTTPTypes", "StubDBJSON", "StubDBModel", "StubDBTestSupport", "StubDBXML", "HTTPTypes",
  ],
  "StubDBHTTPTypesTests": [
    "StubDBConformance", "StubDBDocuments", "StubDBEngine", "StubDBHTTPTypes", "StubDBJSON",
    "StubDBModel", "StubDBPlayback", "HTTPTypes",
  ],
  "StubDBJSONTests": ["StubDBDocuments", "StubDBJSON", "StubDBTestSupport"],
  "StubDBMirrorTests": ["StubDBDocuments", "StubDBJSON", "StubDBMirror", "StubDBModel"],
  "StubDBModelTests": [
    "StubDBContainment", "StubDBDocuments", "StubDBJSON", "StubDBMirror", "StubDBModel",
    "StubDBTestSupport",
  ],
  "StubDBPlaybackTests": [
    "StubDBConformance", "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel",
    "StubDBPlayback", "StubDBServing", "StubDBSupport", "StubDBTestSupport", "HTTPTypes",
  ],
  "StubDBPublishingTests": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBChanges", "StubDBDocuments", "StubDBGit",
    "StubDBJobs", "StubDBModel", "StubDBPublishing", "StubDBRemote", "StubDBSupport",
    "StubDBTestSupport",
  ],
  "StubDBRemoteTests": [
    "StubDBDocuments", "StubDBFiles", "StubDBJobs", "StubDBRemote", "StubDBSupport",
    "StubDBTestSupport",
  ],
  "StubDBSecretsTests": [
    "StubDBDocuments", "StubDBJSON", "StubDBModel", "StubDBSecrets", "StubDBSupport",
  ],
  "StubDBServerTests": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBConformance", "StubDBDocuments", "StubDBEngine",
    "StubDBJSON", "StubDBModel", "StubDBPlayback", "StubDBRecording", "StubDBServer",
    "StubDBServing", "StubDBSupport", "StubDBTestSupport", "StubDBTesting", "HTTPTypes",
  ],
  "StubDBSupportTests": ["StubDBFiles", "StubDBSupport", "StubDBTestSupport"],
  "StubDBSweepsTests": [
    "StubDB", "StubDBCommand", "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel",
    "StubDBPlayback", "StubDBSupport", "StubDBSweeps", "StubDBTestSupport", "StubDBTesting",
    "StubDBURLProtocol", "StubDBVariations",
  ],
  "StubDBSwiftNamesTests": ["StubDBDocuments", "StubDBModel", "StubDBSwiftNames"],
  "StubDBTemplatesTests": ["StubDBTemplates"],
  "StubDBTestingTests": [
    "CatalogWorker", "StubDB", "StubDBDocuments", "StubDBEditing", "StubDBEngine",
    "StubDBHTTPTypes", "StubDBModel", "StubDBPlayback", "StubDBSupport", "StubDBTestSupport",
    "StubDBTesting", "StubDBTestingRecording", "StubDBURLProtocol", "StubDBValidation", "HTTPTypes",
  ],
  "StubDBTransferTests": [
    "StubDBCatalog", "StubDBCatalogEditing", "StubDBDescriptions", "StubDBDocuments", "StubDBDrift",
    "StubDBEngine", "StubDBFormats", "StubDBJSON", "StubDBJobs", "StubDBMirror", "StubDBModel",
    "StubDBPlayback", "StubDBRecording", "StubDBSecrets", "StubDBServing", "StubDBSupport",
    "StubDBTestSupport", "StubDBTransfer", "StubDBValidation", "StubDBVariations", "HTTPTypes",
  ],
  "StubDBURLProtocolTests": [
    "RecordingWorker", "StubDBCatalog", "StubDBCatalogEditing", "StubDBCommand",
    "StubDBConformance", "StubDBDocuments", "StubDBEngine", "StubDBJSON", "StubDBModel",
    "StubDBPlayback", "StubDBRecording", "StubDBSupport", "StubDBTestSupport", "StubDBTesting",
    "StubDBURLProtocol",
  ],
  "StubDBXMLTests": ["StubDBXML"],
]

/// What targets need besides if a trait is on.
let withTrait: [String: KeyValuePairs<String, [String]>] = [
  "StubDBServer": [
    "Server": [
      "StubDBCatalogEditing", "StubDBDocuments", "StubDBEditing", "StubDBFiles", "StubDBFormats",
      "StubDBRecording", "StubDBSecrets", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket",
    ],
    "TLS": ["Crypto", "NIOHPACK", "NIOHTTP2", "NIOSSL", "NIOTLS", "SwiftASN1", "X509"],
  ],
  "StubDBServerTests": [
    "Server": ["NIOHTTP1", "NIOPosix"],
    "TLS": ["NIOSSL"],
  ],
  "StubDBTesting": ["Server": ["StubDBServer"]],
]

/// Which package a product of another one is from.
let packages = [
  "ArgumentParser": "swift-argument-parser",
  "Crypto": "swift-crypto",
  "HTTPTypes": "swift-http-types",
  "NIOCore": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio", "NIOTLS": "swift-nio",
  "NIOWebSocket": "swift-nio",
  "NIOHPACK": "swift-nio-http2", "NIOHTTP2": "swift-nio-http2",
  "NIOSSL": "swift-nio-ssl",
  "SwiftASN1": "swift-asn1",
  "X509": "swift-certificates",
  "Yams": "Yams",
]

/// Files in the folders of targets that are no sources.
let excluded = [
  "StubDBServer": ["Admin/openapi.json", "Page/web"],
  "StubDBServerTests": ["websocket_client.py", "wiremock_client.py"],
]

func dependency(_ name: String, onlyWith trait: String? = nil) -> Target.Dependency {
  // Apple's systems have CryptoKit.
  if name == "CStubDBSHA256" {
    return .target(name: name, condition: .when(platforms: [.linux, .android]))
  }
  let condition = trait.flatMap { TargetDependencyCondition.when(traits: [$0]) }
  if let package = packages[name] {
    return .product(name: name, package: package, condition: condition)
  }
  return condition.map { .target(name: name, condition: $0) } ?? .byName(name: name)
}

/// The settings and the dependencies with a trait are the same in every kind of target.
func targets(
  _ table: KeyValuePairs<String, [String]>, in folder: String? = nil,
  _ make: (_ name: String, _ path: String?) -> Target
) -> [Target] {
  table.map { name, dependencies in
    let target = make(name, folder.map { "\($0)/\(name)" })
    target.dependencies = dependencies.map { dependency($0) }
    for (trait, dependencies) in withTrait[name] ?? [:] {
      target.dependencies += dependencies.map { dependency($0, onlyWith: trait) }
    }
    target.exclude = excluded[name] ?? []
    target.swiftSettings = swiftSettings
    return target
  }
}

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
    .target(name: "CStubDBSHA256"),
    .systemLibrary(
      name: "CStubDBSQLite", path: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(
      name: "StubDBTestSupport", dependencies: ["StubDBSupport"], path: "Tests/Support",
      swiftSettings: swiftSettings),
  ]
    + targets(modules) { .target(name: $0, path: $1) }
    + targets(programs) { .executableTarget(name: $0, path: $1) }
    + targets(testModules, in: "Tests") { .target(name: $0, path: $1) }
    + targets(testPrograms, in: "Tests") { .executableTarget(name: $0, path: $1) }
    + targets(tests) { .testTarget(name: $0, path: $1) }
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
