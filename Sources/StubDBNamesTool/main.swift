import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBSwiftNames

// What the plugin StubDBNames runs: CATALOG OUTPUT MODULE ACCESS. It is a program of its own so that a build which only
// needs names builds no command line.

/// Writes a line that SwiftPM and Xcode show as a diagnostic of the catalog.
func report(_ severity: String, _ message: String, of path: String) {
  FileHandle.standardError.write(Data("\(path): \(severity): \(message)\n".utf8))
}

func writeNames(of path: String, to output: URL, importing module: String, access: SwiftAccess)
  throws
{
  let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
  let names = SwiftNames(
    try catalog.scenarios().map { .init(name: $0.name, summary: $0.summary) })
  for clash in names.clashes { report("warning", SwiftNames.explanation(of: clash), of: path) }
  let source = Data(
    names.source(access: access, importing: module, catalog: catalog.url.lastPathComponent).utf8)
  // If only stubs have changed, the file stays as it is, and nothing is compiled again.
  guard (try? Data(contentsOf: output)) != source else { return }
  try source.write(to: output, options: .atomic)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 4, let access = SwiftAccess(rawValue: words[3]) else {
  report("error", "expected CATALOG OUTPUT MODULE internal|public", of: "StubDBNamesTool")
  exit(64)
}
do {
  try writeNames(
    of: words[0], to: URL(fileURLWithPath: words[1]), importing: words[2], access: access)
} catch {
  report("error", "\(error)", of: words[0])
  exit(1)
}
