/// What a user asks of an import; the defaults are those of the command line.
package struct ImportOptions: Sendable {
  package enum Naming: Hashable, Sendable {
    /// After the file, the folder, the cassette.
    case derived
    /// The same below a prefix.
    case prefix(String)
    /// One scenario of this name.
    case single(String)
  }

  /// What each scenario holds.
  package enum Split: String, CaseIterable, Hashable, Sendable {
    case none, page, host, tag, folder
  }

  package var naming = Naming.derived
  /// The options that are given without a value.
  package var flags: Set<ImportOption> = []
  /// Nil for what is usual for the format.
  package var split: Split?
  /// Only requests with one of these methods and URL globs, `POST https://api.shop.test/**`; empty for all.
  package var only: [String] = []
  /// Only requests to these hosts; empty for all.
  package var hosts: [String] = []
  /// Header fields of answers that are kept although they are volatile; `all` keeps every one.
  package var keptHeaders: [String] = []
  /// Header fields of requests that stubs match.
  package var matchedHeaders: [String] = []
  /// Query parameters, form fields and members that stubs do not match.
  package var ignoredQuery: [String] = []
  package var matchesAnyHost = false
  /// Whether placeholders in contents are templates; nil decides by what they hold.
  package var usesTemplates: Bool?
  /// The values of variables in collections and cassettes.
  package var variables: [String: String] = [:]
  /// The request of answers that were recorded without one.
  package var url: String?
  package var method: String?
  /// The server of a description, if it has several.
  package var server: String?
  /// Which answers of a description become stubs beside the usual ones.
  package var answers = Answers.examples

  /// The answers of an operation.
  package enum Answers: String, CaseIterable, Hashable, Sendable {
    /// The usual one of each operation.
    case usual
    /// Others that have an example, too.
    case examples
    /// All others, too, with values made from their schemas.
    case all
  }

  /// What of a description requests must satisfy.
  package var requirements: Set<Requirement> = []

  /// A part of a description that says which requests are valid.
  package enum Requirement: String, CaseIterable, Hashable, Sendable {
    /// Parameters that a request must have.
    case required
    /// The schema of the content.
    case body
    /// Credentials.
    case security
  }

  /// Whether stubs are kept that would answer more than the original.
  var isLenient: Bool { flags.contains(.lenient) }

  package init() {}
}
