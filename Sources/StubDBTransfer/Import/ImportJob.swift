package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBFormats
package import StubDBModel
package import StubDBSecrets

/// Imports files into a catalog, in one edit.
package struct ImportJob {
  /// What may be written.
  package struct Settings {
    /// Whether scenarios that exist are replaced.
    package var replaces = false
    /// Whether secrets are taken out; otherwise an import with one is refused.
    package var redacts = false
    /// Whether an import with losses is refused.
    package var isStrict = false

    package init() {}
  }

  /// How far an import is.
  package enum Progress {
    case reading(String)
    case files(Int, of: Int)
    case searching(Int, of: Int)
    case writing(Int, of: Int)
  }

  /// What is to be written.
  package struct Prepared {
    package fileprivate(set) var result: ImportResult
    /// What was taken out; nil for nothing.
    package fileprivate(set) var redaction: ImportRedaction?
    /// Whether there are losses where none are allowed.
    package fileprivate(set) var isRefused = false

    package var scenarios: [Scenario] { result.scenarios }

    /// The scenario to show next: the one that includes most others, or else the first that has stubs.
    package var main: Scenario? {
      let including = scenarios.max { $0.includes.count < $1.includes.count }
      return including?.includes.isEmpty ?? true
        ? scenarios.first { !$0.stubs.isEmpty } : including
    }
  }

  package let catalog: Catalog
  let settings: Settings
  private let exceptions: ExceptionsFile?
  let progress: (Progress) -> Void
  private let options: ImportOptions

  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - options: How stubs are made.
  ///   - settings: What may be written.
  ///   - exceptions: The findings of a scan that are accepted; nil to accept all.
  ///   - progress: Called with each step.
  package init(
    into catalog: Catalog, options: ImportOptions, settings: Settings, exceptions: ExceptionsFile?,
    progress: @escaping (Progress) -> Void = { _ in }
  ) {
    self.catalog = catalog
    self.options = options
    self.settings = settings
    self.exceptions = exceptions
    self.progress = progress
  }

  /// Makes scenarios of inputs, without secrets unless they are allowed; writes nothing.
  ///
  /// - Throws: `FormatError` for inputs that cannot be read, and ``ImportProblem``.
  package func prepare(
    _ inputs: [ImportInput], format: (any ImportFormat)? = nil, log: ReportLog
  ) throws -> Prepared {
    log.progress = { [progress] in progress(.reading($0)) }
    var importer = Importer(options: options, log: log)
    importer.refusals = { scenario in
      ScenarioProblems.refused(in: scenario).compactMap { problem in
        problem.key.map { ($0, problem.problem) }
      }
    }
    var prepared = Prepared(
      result: try importer.scenarios(of: inputs, format: format) { [progress] done, count in
        progress(.files(done, of: count))
      })
    if !settings.redacts, refuses(prepared) {
      prepared.isRefused = true
      return prepared
    }
    if let exceptions,
      let (result, redaction) = try redacted(prepared.result, besides: exceptions)
    {
      (prepared.result, prepared.redaction) = (result, redaction)
      // What is left free may get another answer than was recorded.
      prepared.isRefused = refuses(prepared)
    }
    return prepared
  }

  private func refuses(_ prepared: Prepared) -> Bool {
    settings.isStrict && prepared.result.report.hasLosses
  }

  /// Writes what differs from the catalog.
  ///
  /// - Returns: The names of the scenarios that were written.
  /// - Throws: ``ImportProblem/exist(_:)``, and what editing throws.
  package func write(_ prepared: Prepared) throws -> [ScenarioName] {
    let scenarios = prepared.scenarios
    return try catalog.edit { editor in
      var written: [ScenarioName] = []
      var existing: [ScenarioName] = []
      for (place, scenario) in scenarios.enumerated() {
        progress(.writing(place, of: scenarios.count))
        if let before = try editor.scenario(named: scenario.name) {
          if before == scenario { continue }
          existing.append(scenario.name)
        }
        written.append(scenario.name)
        // The importer left out what could not be played.
        if prepared.redaction == nil {
          try editor.replace(CheckedScenario(stubsOf: scenario))
        } else {
          try editor.replace(scenario)
        }
      }
      guard existing.isEmpty || settings.replaces else { throw ImportProblem.exist(existing) }
      return written
    }
  }
}

/// Why nothing was imported.
package enum ImportProblem: Error {
  /// A scan finds secrets, which are neither taken out nor allowed.
  case secrets([SecretFinding])
  /// Nothing valid would be left without the secret at this place.
  case keptSecret(SecretPlace)
  /// These scenarios are in the catalog, with other stubs.
  case exist([ScenarioName])
}
