internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The file that marks a folder as the mirror of a certain catalog.
///
/// Nothing is removed from a folder without this file.
package struct MirrorMarker: Hashable {
  /// The name of the file.
  package static let fileName = ".stubdb-mirror"
  private static let attributesName = ".gitattributes"
  /// The files of a mirror besides documents and bodies.
  static let fileNames: Set<String> = [fileName, attributesName]
  /// Keeps git from changing line ends, because bodies must stay the same byte by byte.
  static let attributes = "* -text\n"

  /// The path of the catalog, relative to the folder.
  package let catalog: String

  package init(catalog: String) {
    self.catalog = catalog
  }

  /// Parses the file.
  init(parsing bytes: Data, path: String) throws {
    guard case .object(let members)? = try? JSONValue(parsing: bytes),
      case .string(let catalog)? = members["catalog"],
      case .number(let version)? = members["version"]
    else {
      throw MirrorError(
        "\(path) does not say which catalog the folder is a mirror of; remove the file, then run "
          + "stubdb mirror again")
    }
    guard version.integerValue == 1 else {
      throw MirrorError(
        "\(path) has version \(version.text), and this stubdb knows version 1; install a newer one")
    }
    self.catalog = catalog
  }

  var text: String {
    let members: [(String, JSONValue)] = [
      ("about", "A mirror of a stubdb catalog, for reviews; kept in step by: stubdb mirror"),
      ("catalog", .string(catalog)), ("version", 1),
    ]
    var writer = JSONWriter(indent: 2)
    writer.writeMembers(members, depth: 0)
    return writer.text + "\n"
  }

  static func attributesPath() -> String { attributesName }
}

extension String {
  var utf8Data: Data { Data(utf8) }
}
