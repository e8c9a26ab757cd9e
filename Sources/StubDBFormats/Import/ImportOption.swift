/// An option of an import that only some formats have a use for.
///
/// `--only`, `--host`, `--any-host`, `--scenario` and `--prefix` are for every format, and `--split` has a rule of its own,
/// ``ImportFormat/ownSplits``.
package enum ImportOption: String, CaseIterable, Hashable, Sendable {
  /// Requests that only browsers make are imported, too.
  case all
  /// Scenarios of pages have the names of the pages alone.
  case by
  /// Inputs may name files of folders beside their own.
  case allowFiles = "allow-files"
  case keepHeaders = "keep-headers"
  case matchHeaders = "match-headers"
  case ignoreQuery = "ignore-query"
  /// Lists of volatile names count for nothing.
  case exact
  /// Requests between different answers advance a flow.
  case flows
  /// Repeated requests beyond the recorded ones fail.
  case strictOrder = "strict-order"
  /// Recorded times become delays.
  case timing
  case templates
  case variables = "var"
  case url
  case method
  case server
  case require
  case answers
  /// Requests without a recorded answer become stubs with an empty one.
  case empty
  /// Stubs are kept that would answer more than the original.
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
    case .all, .by, .allowFiles, .exact, .flows, .strictOrder, .timing, .empty, .lenient:
      flags.contains(option)
    case .keepHeaders: !keptHeaders.isEmpty
    case .matchHeaders: !matchedHeaders.isEmpty
    case .ignoreQuery: !ignoredQuery.isEmpty
    case .templates: usesTemplates != nil
    case .variables: !variables.isEmpty
    case .url: url != nil
    case .method: method != nil
    case .server: server != nil
    case .require: !requirements.isEmpty
    case .answers: answers != .examples
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
