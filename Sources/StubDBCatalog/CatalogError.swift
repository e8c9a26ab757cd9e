/// What a catalog cannot do, and why.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; a later version may know more.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Makes a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no file at the path, or it cannot be opened.
    public static let notFound = Code(rawValue: "notFound")
    /// There is a file where a new catalog was to be.
    public static let alreadyExists = Code(rawValue: "alreadyExists")
    /// The file is something else.
    public static let notACatalog = Code(rawValue: "notACatalog")
    /// The file was written by a newer stubdb.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The file is a catalog, but not whole.
    public static let damaged = Code(rawValue: "damaged")
    /// The catalog has no scenario of that name.
    public static let noSuchScenario = Code(rawValue: "noSuchScenario")
    /// The scenario has no stub of that key.
    public static let noSuchStub = Code(rawValue: "noSuchStub")
    /// The catalog has a scenario of that name already.
    public static let scenarioExists = Code(rawValue: "scenarioExists")
    /// The scenario has a stub of that key already.
    public static let stubExists = Code(rawValue: "stubExists")
    /// A scenario includes one that the catalog does not have.
    public static let danglingInclude = Code(rawValue: "danglingInclude")
    /// Scenarios include each other in a circle.
    public static let includeCycle = Code(rawValue: "includeCycle")
    /// A merge left a scenario in two versions, and nobody has settled which one counts.
    public static let unresolvedConflict = Code(rawValue: "unresolvedConflict")
    /// A value that a document could not hold, such as an empty key.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// There is no room to write.
    public static let diskFull = Code(rawValue: "diskFull")
    /// Somebody else kept the catalog locked for too long.
    public static let busy = Code(rawValue: "busy")
    /// Another program put another file in the place of the catalog while it was edited.
    public static let replaced = Code(rawValue: "replaced")
    /// Another program was stopped while it wrote the file, and what it left cannot be taken back here.
    public static let unfinishedWrite = Code(rawValue: "unfinishedWrite")
    /// The file has a second name, a hard link, that an edit would leave behind.
    public static let hardLinked = Code(rawValue: "hardLinked")
    /// The file or its folder cannot be written.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Reading or writing failed for another reason.
    public static let inputOutput = Code(rawValue: "inputOutput")
  }

  /// What kind of failure it is.
  public var code: Code
  /// One sentence for people: what failed, on what, why, and what to do.
  public var message: String
  /// The path of the catalog; nil where it is not about a file.
  public var path: String?
  /// Names that were probably meant, best first.
  public var suggestions: [String]

  /// Makes an error.
  public init(_ code: Code, _ message: String, path: String? = nil, suggestions: [String] = []) {
    self.code = code
    self.message = message
    self.path = path
    self.suggestions = suggestions
  }

  /// The message, with the names that were probably meant.
  public var description: String {
    guard !suggestions.isEmpty else { return message }
    return message + "; did you mean " + suggestions.map { "\"\($0)\"" }.joined(separator: " or ")
      + "?"
  }
}

extension CatalogError {
  /// That a part of a catalog has not the digest that it was written with.
  init(damaged what: String, path: String) {
    self.init(
      .damaged,
      "the catalog \(path) is damaged: \(what) is not what was written; restore the file, for "
        + "example with git", path: path)
  }

  /// What a failure of SQLite means to somebody who uses a catalog.
  init(_ error: SQLiteError, path: String, doing what: String) {
    let place = "\(what) the catalog \(path)"
    self =
      if error.isBusy {
        CatalogError(
          .busy, "\(place) failed: another process keeps it locked; try again", path: path)
      } else if error.isDiskFull {
        CatalogError(
          .diskFull, "\(place) failed: the disk is full; the catalog is as it was", path: path)
      } else if error.isFileTooLarge {
        CatalogError(
          .diskFull,
          "\(place) failed: no file may grow that large here (see: ulimit -f); the catalog is as it "
            + "was", path: path)
      } else if error.isNotADatabase {
        CatalogError(
          .notACatalog, "\(path) is not a stubdb catalog (it is no SQLite file)", path: path)
      } else if error.isDamage {
        CatalogError(
          .damaged,
          "the catalog \(path) is damaged (\(error.message)); restore it, for example with git",
          path: path)
      } else if error.isReadOnly || error.isPermission {
        CatalogError(
          .readOnly, "\(place) failed: the file or its folder cannot be written", path: path)
      } else if error.isCannotOpen {
        CatalogError(
          .notFound, "\(place) failed: it cannot be opened; is the path right?", path: path)
      } else {
        CatalogError(.inputOutput, "\(place) failed: \(error)", path: path)
      }
  }
}
