public import StubDBEngine

/// An error of an operation on a catalog.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure; later versions may add kinds.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Makes a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No file is at the path, or it cannot be opened.
    public static let notFound = Code(rawValue: "notFound")
    /// A file exists where a new catalog was to be created.
    public static let alreadyExists = Code(rawValue: "alreadyExists")
    /// The file is not a catalog.
    public static let notACatalog = Code(rawValue: "notACatalog")
    /// The file was written by a newer stubdb.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The file is a catalog, but incomplete or damaged.
    public static let damaged = Code(rawValue: "damaged")
    /// The catalog has no scenario of that name.
    public static let noSuchScenario = Code(rawValue: "noSuchScenario")
    /// The scenario has no stub with that key.
    public static let noSuchStub = Code(rawValue: "noSuchStub")
    /// The catalog already has a scenario of that name.
    public static let scenarioExists = Code(rawValue: "scenarioExists")
    /// The scenario already has a stub with that key.
    public static let stubExists = Code(rawValue: "stubExists")
    /// A scenario includes one that the catalog does not have.
    public static let danglingInclude = Code(rawValue: "danglingInclude")
    /// A scenario includes one of a catalog that no lock file names.
    public static let noSuchCatalog = Code(rawValue: "noSuchCatalog")
    /// A scenario includes one of a catalog that is not on this machine; `stubdb pull` gets it.
    public static let catalogNotPulled = Code(rawValue: "catalogNotPulled")
    /// Scenarios include each other in a circle.
    public static let includeCycle = Code(rawValue: "includeCycle")
    /// A merge left a conflict in the scenario that is not settled yet.
    public static let unresolvedConflict = Code(rawValue: "unresolvedConflict")
    /// A value that a document could not hold, such as an empty key.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A stub of the scenario that this version cannot play; ``CatalogError/engineError`` says which and why.
    public static let unplayable = Code(rawValue: "unplayable")
    /// The editor of an edit that has ended was used.
    public static let editEnded = Code(rawValue: "editEnded")
    /// The disk is full.
    public static let diskFull = Code(rawValue: "diskFull")
    /// Another program kept the catalog locked for too long.
    public static let busy = Code(rawValue: "busy")
    /// Another program replaced the catalog's file during the edit.
    public static let replaced = Code(rawValue: "replaced")
    /// Another program was stopped while it wrote the file, and its write cannot be rolled back here.
    public static let unfinishedWrite = Code(rawValue: "unfinishedWrite")
    /// The file has a second name, a hard link, which an edit would leave with the old content.
    public static let hardLinked = Code(rawValue: "hardLinked")
    /// The file or its folder cannot be written.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Reading or writing failed for another reason.
    public static let inputOutput = Code(rawValue: "inputOutput")
  }

  /// The kind of failure.
  public var code: Code
  /// One sentence that says what failed, on what, why, and what to do.
  public var message: String
  /// The path of the catalog; nil if the error is not about a file.
  public var path: String?
  /// The nearest existing names, best first.
  public var suggestions: [String]
  /// The stub that cannot be played, and why; nil for an error of another kind.
  public internal(set) var engineError: EngineError?

  /// Makes an error.
  public init(_ code: Code, _ message: String, path: String? = nil, suggestions: [String] = []) {
    self.code = code
    self.message = message
    self.path = path
    self.suggestions = suggestions
  }

  /// The message, with the nearest names.
  public var description: String {
    guard !suggestions.isEmpty else { return message }
    return message + "; did you mean " + suggestions.map { "\"\($0)\"" }.joined(separator: " or ")
      + "?"
  }
}

extension CatalogError {
  /// Runs a closure; all its errors become errors of a catalog.
  ///
  /// `what` is what the closure does, such as "reading".
  package static func reporting<Value>(
    _ what: String, path: String, _ body: () throws -> Value
  ) throws(CatalogError) -> Value {
    do {
      return try body()
    } catch let error as CatalogError {
      throw error
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path, doing: what)
    } catch let error as EngineError {
      throw CatalogError(error, path: path)
    } catch {
      throw CatalogError(.inputOutput, "\(what) the catalog \(path) failed: \(error)", path: path)
    }
  }

  /// Reports that a stub cannot be played.
  private init(_ error: EngineError, path: String) {
    self.init(.unplayable, error.message, path: path)
    engineError = error
  }

  /// Reports that a part of a catalog does not match its digest.
  package init(damaged what: String, path: String) {
    self.init(
      .damaged,
      "the catalog \(path) is damaged: \(what) does not match its digest; restore the file, for "
        + "example with git", path: path)
  }

  /// Translates a failure of SQLite for users of a catalog.
  package init(_ error: SQLiteError, path: String, doing what: String) {
    let place = "\(what) the catalog \(path)"
    self =
      if error.isBusy {
        CatalogError(
          .busy, "\(place) failed: another process keeps it locked; try again", path: path)
      } else if error.isDiskFull {
        CatalogError(
          .diskFull, "\(place) failed: the disk is full; the catalog was not changed", path: path)
      } else if error.isFileTooLarge {
        CatalogError(
          .diskFull,
          "\(place) failed: the system does not allow a file of this size (see: ulimit -f); the catalog is as it "
            + "was", path: path)
      } else if error.isNotADatabase {
        CatalogError(
          .notACatalog, "\(path) is not a stubdb catalog (it is not an SQLite file)", path: path)
      } else if error.isDamage {
        CatalogError(
          .damaged,
          "the catalog \(path) is damaged (\(error.message)); restore it, for example with git",
          path: path)
      } else if error.isReadOnly || error.isPermission {
        CatalogError(
          .readOnly, "\(place) failed: the file or its folder cannot be written", path: path)
      } else if error.hasTooManyFiles {
        CatalogError(
          .inputOutput,
          "\(place) failed: too many files are open (see: ulimit -n)", path: path)
      } else if error.isCannotOpen {
        CatalogError(
          .notFound, "\(place) failed: it cannot be opened; check the path", path: path)
      } else {
        CatalogError(.inputOutput, "\(place) failed: \(error)", path: path)
      }
  }
}
