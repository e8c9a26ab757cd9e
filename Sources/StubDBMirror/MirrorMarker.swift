internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The file that marks a folder as the mirror of a certain catalog.
///
/// Nothing is removed from a folder without this file.
package struct MirrorMarker: Hashable {
  package static let fileName = ".stubdb-mirror"
  static let attributesName = ".gitattributes"
  /// The files of a mirror besides documents and bodies.
  static let fileNames: Set<String> = [fileName, attributesName]
  /// Keeps git from changing line ends, because bodies must stay the same byte by byte.
  static let attributes = "* -text\n"

  private static let kind = DocumentObjectKind(
    "the marker of a mirror", ["about", "catalog", "version"])

  /// The path of the catalog, relative to the folder.
  package let catalog: String

  package init(catalog: String) {
    self.catalog = catalog
  }

  /// Parses the file.
  init(parsing bytes: Data, path: String) throws {
    do throws(DocumentError) {
      catalog = try DocumentNode.reading(bytes, file: path) { (root) throws(DocumentError) in
        // Before the other keys, which a later version may add to.
        if case .object(let members) = root.value, let version = members["version"], version != 1 {
          throw root.failure(
            .invalidValue,
            "the file has version \(version.canonicalText), and this stubdb knows version 1; "
              + "install a newer one")
        }
        let object = try root.object(Self.kind)
        _ = try object.required("version")
        return try object.required("catalog").string()
      }
    } catch {
      throw MirrorError(
        error.code == .invalidValue
          ? "\(error)" : "\(error); remove the file, then run stubdb mirror again")
    }
  }

  var text: String {
    let about = "A mirror of a stubdb catalog, for reviews; kept in step by: stubdb mirror"
    return OrderedJSON.object([
      ("about", .string(about)), ("catalog", .string(catalog)), ("version", .integer(1)),
    ]).text
  }
}

extension String {
  var utf8Data: Data { Data(utf8) }
}
