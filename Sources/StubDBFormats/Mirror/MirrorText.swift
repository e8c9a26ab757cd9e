internal import Foundation
internal import StubDBModel

/// A document of a mirror that was read.
struct MirrorText {
  /// The path from the folder.
  let path: String
  let bytes: Data
  let scenario: Scenario
  /// The files that the document refers to, as paths from the folder.
  let references: Set<String>

  /// Whether stubdb wrote it: text that a person changed is hardly ever in canonical form.
  var isCanonical: Bool { MirrorDocument(scenario, path: path).document.bytes == bytes }

  /// The bodies that go with the document: those in the folder of its own.
  var ownFiles: Set<String> {
    let folder = MirrorLayout.filesFolder(ofDocument: path) + "/"
    return references.filter { $0.hasPrefix(folder) }
  }
}

extension MirrorFileSystem {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - path: Where the document is.
  ///   - name: What an error calls the folder.
  /// - Returns: The document, and what it refers to.
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

  /// The path from the folder of what a document refers to; refuses what leaves the folder.
  private func resolve(_ reference: String, fromDocument path: String) throws -> String {
    var segments = reference.hasPrefix("/") ? [] : path.split(separator: "/").dropLast()
    for segment in reference.split(separator: "/") where segment != "." {
      if segment != ".." {
        segments.append(segment)
      } else if segments.popLast() == nil {
        throw MirrorError("it is outside the folder of the mirror")
      }
    }
    let target = segments.joined(separator: "/")
    if reference.hasPrefix("/") || reference.utf8.contains(0) {
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
