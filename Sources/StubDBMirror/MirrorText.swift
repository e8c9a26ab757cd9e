internal import Foundation
internal import StubDBDocuments
internal import StubDBModel
internal import StubDBSupport

/// A parsed document of a mirror.
struct MirrorText {
  /// The path, relative to the folder.
  let path: String
  let bytes: Data
  let scenario: Scenario
  /// The files that the document refers to, as paths relative to the folder.
  let references: Set<String>

  /// The bodies in the document's own folder.
  var ownFiles: Set<String> {
    let folder = MirrorLayout.filesFolder(ofDocument: path) + "/"
    return references.filter { $0.hasPrefix(folder) }
  }
}

extension MirrorFileSystem {
  /// A document and the bodies in its own folder, as they are on the disk.
  func files(of text: MirrorText) throws -> [MirrorDocument.File] {
    let bodies = try text.ownFiles.sorted().map { path in
      MirrorDocument.File(path: path, bytes: try bytes(of: path) ?? Data())
    }
    return bodies + [MirrorDocument.File(path: text.path, bytes: text.bytes)]
  }

  /// Parses a document.
  ///
  /// - Parameters:
  ///   - path: The path of the document.
  ///   - name: The name of the folder in errors.
  /// - Returns: The document, and the files that it refers to.
  /// - Throws: `DocumentError` with the file and the line.
  func document(_ path: String, name: String) throws -> MirrorText {
    let bytes = try bytes(of: path) ?? Data()
    var references: Set<String> = []
    let scenario = try ScenarioDocument.decode(bytes, file: "\(name)/\(path)") { reference in
      let target = try resolve(reference, fromDocument: path)
      references.insert(target)
      guard let data = try self.bytes(of: target) else {
        throw MirrorError("there is no such file")
      }
      return data
    }
    return MirrorText(path: path, bytes: bytes, scenario: scenario, references: references)
  }

  /// The path, relative to the folder, of a file that a document refers to; throws if it is outside the folder.
  private func resolve(_ reference: String, fromDocument path: String) throws -> String {
    let isAbsolute = reference.utf8.first == UInt8(ascii: "/")
    var segments = isAbsolute ? [] : path.pathSegments.dropLast()
    for segment in reference.pathSegments where segment != "." {
      if segment != ".." {
        segments.append(segment)
      } else if segments.popLast() == nil {
        throw MirrorError("it is outside the folder of the mirror")
      }
    }
    let target = segments.joined(separator: "/")
    if isAbsolute || reference.utf8.contains(0) {
      throw MirrorError("it is outside the folder of the mirror; give a path from the document")
    }
    if let place = obstacle(onTheWayTo: target) {
      throw MirrorError("\(place) is not a folder; symbolic links are not followed")
    }
    if kind(of: target) == .other {
      throw MirrorError("it is not a file; symbolic links are not followed")
    }
    return target
  }
}
