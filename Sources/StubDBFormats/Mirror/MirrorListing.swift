/// The entries of a mirror's folder.
struct MirrorListing {
  /// Files that may be documents, sorted by path.
  private(set) var documents: [String] = []
  /// Files in the folders of documents' bodies.
  private(set) var bodies: Set<String> = []
  /// Entries that do not belong to a mirror: other files, links.
  private(set) var others: [String] = []
  /// Entries among them that have the name of a document but are not files, such as symbolic links.
  private(set) var links: [String] = []
  /// Leftovers of killed processes.
  private(set) var temporaries: [String] = []

  init(of files: MirrorFileSystem) throws {
    switch files.kind(of: "") {
    case nil: return
    case .folder: try add("", isBodies: false, files)
    default: throw MirrorError("\(files.root) is not a folder")
    }
  }

  private mutating func add(_ folder: String, isBodies: Bool, _ files: MirrorFileSystem) throws {
    for name in try files.names(in: folder) {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if MirrorMarker.fileNames.contains(path) { continue }
      switch files.kind(of: path) {
      case .folder:
        if name == ".git" { continue }
        try add(path, isBodies: isBodies || name.hasSuffix(MirrorLayout.filesExtension), files)
      case .file where name.hasPrefix(MirrorFileSystem.temporaryPrefix): temporaries.append(path)
      case .file where isBodies: bodies.insert(path)
      case .file where name.hasSuffix(MirrorLayout.documentExtension) && !name.hasPrefix("."):
        documents.append(path)
      case .other where name.hasSuffix(MirrorLayout.documentExtension) && !isBodies:
        links.append(path)
        others.append(path)
      case .file, .other: others.append(path)
      case nil: continue
      }
    }
  }
}
