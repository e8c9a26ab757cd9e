/// An option of an import that only some formats have a use for.
///
/// `--only`, `--host`, `--any-host`, `--scenario` and `--prefix` are for every format, and `--split` has a rule of its own,
/// ``ImportFormat/ownSplits``.
package enum ImportOption: String, CaseIterable, Hashable, Sendable {
  case all
  case by
  case allowFiles = "allow-files"
  case keepHeaders = "keep-headers"
  case matchHeaders = "match-headers"
  case ignoreQuery = "ignore-query"
  case exact
  case flows
  case strictOrder = "strict-order"
  case timing
  case templates
  case variables = "var"
  case url
  case method
  case server
  case require
  case answers
  case empty
  case lenient

  /// What all recordings have a use for: it is about how exchanges become stubs.
  static let recording: Set<ImportOption> = [
    .keepHeaders, .matchHeaders, .ignoreQuery, .exact, .flows, .strictOrder,
  ]
}

extension ImportOptions {
  /// The options that differ from what is usual.
  var given: [ImportOption] { ImportOption.allCases.filter(isGiven) }

  private func isGiven(_ option: ImportOption) -> Bool {
    switch option {
    case .all: importsAll
    case .by: namesPages
    case .allowFiles: allowsFolders
    case .keepHeaders: !keptHeaders.isEmpty
    case .matchHeaders: !matchedHeaders.isEmpty
    case .ignoreQuery: !ignoredQuery.isEmpty
    case .exact: isExact
    case .flows: usesFlows
    case .strictOrder: isOrderStrict
    case .timing: keepsTiming
    case .templates: usesTemplates != nil
    case .variables: !variables.isEmpty
    case .url: url != nil
    case .method: method != nil
    case .server: server != nil
    case .require: !requirements.isEmpty
    case .answers: answers != .examples
    case .empty: keepsUnanswered
    case .lenient: isLenient
    }
  }

  /// - Throws: ``FormatError`` for an option that none of the formats has a use for.
  func requireUse(in formats: [any ImportFormat], file: String) throws(FormatError) {
    for option in given where !formats.contains(where: { $0.ownOptions.contains(option) }) {
      let users = ImportFormats.all.filter { $0.ownOptions.contains(option) }.map(\.name)
      let read = formats.map(\.name).joined(separator: " and ")
      throw FormatError(
        file: file,
        message: "--\(option.rawValue) means nothing for \(read); it is for "
          + users.joined(separator: ", "), isUsage: true)
    }
  }
}
