import Foundation
import PackagePlugin

/// Declares the scenarios of a catalog in Swift, before a target is compiled.
///
/// The catalog is the one that the target's settings name, else the only `*.stubdb` in the nearest folder that has one:
/// the target's folder, its `Fixtures`, and so on for each folder above it up to the package's.
@main
struct StubDBNames: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget else { return [] }
    let settings = try Settings(in: module.directoryURL)
    let search = CatalogSearch(from: module.directoryURL, upTo: context.package.directoryURL)
    var names: Set<String> = []
    collect(module.dependencies, into: &names)
    return [
      command(
        try context.tool(named: "StubDBNamesTool").url, settings,
        catalog: try settings.catalog ?? search.catalog(), usedProducts: names,
        in: context.pluginWorkDirectoryURL)
    ]
  }

  /// The command that writes the source; it imports the library that gives the target the names of stubdb.
  private func command(
    _ tool: URL, _ settings: Settings, catalog: URL, usedProducts: Set<String>, in folder: URL
  ) -> Command {
    let output = folder.appending(path: "ScenarioNames.swift")
    let known = ["StubDBTesting", "StubDB", "StubDBHTTPTypes"]
    let module = known.first(where: usedProducts.contains) ?? known[0]
    return .buildCommand(
      displayName: "Names of the scenarios in \(catalog.lastPathComponent)", executable: tool,
      arguments: [catalog.path, output.path, module, settings.access],
      inputFiles: [catalog], outputFiles: [output])
  }

  /// Collects the products that a target uses, also by other targets of its package.
  private func collect(_ dependencies: [TargetDependency], into names: inout Set<String>) {
    for dependency in dependencies {
      switch dependency {
      case .product(let product): names.insert(product.name)
      case .target(let target):
        if names.insert(target.name).inserted { collect(target.dependencies, into: &names) }
      @unknown default: break
      }
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  /// Targets of Xcode projects have no folder of their own. The catalog is the one in the target's files, or found from the
  /// folder that is called like the target, and so is the file with its settings.
  extension StubDBNames: XcodeBuildToolPlugin {
    func createBuildCommands(
      context: XcodePluginContext, target: XcodeTarget
    ) throws -> [Command] {
      let project = context.xcodeProject.directoryURL
      let folder = project.appending(path: target.displayName)
      let settings = try Settings(in: folder)
      let own = target.inputFiles.map(\.url).filter { $0.pathExtension == "stubdb" }
      if settings.catalog == nil, own.count > 1 {
        throw NamesError(
          "target \(target.displayName) has the catalogs "
            + "\(own.map(\.lastPathComponent).sorted().joined(separator: ", ")); name one in \(folder.path)/"
            + "\(Settings.fileName): {\"catalog\": \"PATH\"}")
      }
      let catalog =
        try settings.catalog ?? own.first ?? CatalogSearch(from: folder, upTo: project).catalog()
      var products: Set<String> = []
      for case .product(let product) in target.dependencies { products.insert(product.name) }
      return [
        command(
          try context.tool(named: "StubDBNamesTool").url, settings, catalog: catalog,
          usedProducts: products, in: context.pluginWorkDirectoryURL)
      ]
    }
  }
#endif

/// What a target says in its file `.stubdb-names`; everything may be missing, and the file too.
///
/// The name begins with a dot because SwiftPM would otherwise warn about a file that is no source.
private struct Settings {
  static let fileName = ".stubdb-names"

  var catalog: URL?
  var access = "internal"

  init(in folder: URL) throws {
    let file = folder.appending(path: Self.fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    let members: [String: String]
    do {
      members = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    } catch {
      throw NamesError(
        "\(file.path) is not an object such as {\"catalog\": \"../../shop.stubdb\", \"access\": \"public\"}"
      )
    }
    for (key, value) in members {
      switch (key, value) {
      case ("catalog", _):
        let isAbsolute = value.hasPrefix("/")
        let url = isAbsolute ? URL(fileURLWithPath: value) : folder.appending(path: value)
        catalog = url.standardizedFileURL
      case ("access", "internal"), ("access", "public"): access = value
      default:
        throw NamesError(
          "\(file.path) says \"\(key)\": \"\(value)\"; it can have \"catalog\", a path, and \"access\", internal or "
            + "public")
      }
    }
  }
}

/// Finds the catalog of a target.
private struct CatalogSearch {
  /// The folders in which it may be, the nearest first.
  private let folders: [URL]

  init(from folder: URL, upTo top: URL) {
    var folders: [URL] = []
    let top = top.standardizedFileURL.path
    var folder = folder.standardizedFileURL
    while true {
      folders += [folder, folder.appending(path: "Fixtures")]
      guard folder.path != top, folder.path.hasPrefix(top), folder.path != "/" else { break }
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    self.folders = folders
  }

  func catalog() throws -> URL {
    for folder in folders {
      // A folder that does not exist has no catalog.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      let catalogs = names.filter { $0.hasSuffix(".stubdb") && !$0.hasPrefix(".") }.sorted()
      if catalogs.count > 1 {
        throw NamesError(
          "\(folder.path) has the catalogs \(catalogs.joined(separator: ", ")); name one in a file "
            + "\(Settings.fileName) in the target's folder: {\"catalog\": \"PATH\"}")
      }
      if let name = catalogs.first { return folder.appending(path: name) }
    }
    throw NamesError(
      "there is no catalog (*.stubdb) in the target's folder, in a folder above it up to the package's, or in "
        + "their Fixtures; name one in a file \(Settings.fileName) in the target's folder: "
        + "{\"catalog\": \"PATH\"}")
  }
}

/// Says why there are no names.
private struct NamesError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = "StubDBNames: " + description
  }
}
