package import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBSupport

/// What a command found in a catalog, for the programs that show it beside a change.
package struct FindingReport: Sendable {
  /// How much a finding matters.
  package enum Level: String, Sendable {
    case note
    case warning
    /// The command exits with a failure or a negative answer because of it.
    case error
  }

  /// One finding and its place.
  package struct Finding: Sendable {
    /// What kind of finding it is, such as `shadowed`; stable, for filters.
    package var rule: String
    package var level: Level
    /// The scenario; nil for a finding of the file as a whole.
    package var scenario: String?
    /// The key of the stub; nil if the finding is not about a stub.
    package var key: String?
    /// The place as a JSON pointer; nil if there is no such place.
    package var pointer: String?
    /// One sentence, or a clause without a period, in one line.
    package var message: String

    package init(
      rule: String, level: Level, scenario: String? = nil, key: String? = nil,
      pointer: String? = nil, message: String
    ) {
      (self.rule, self.level, self.message) = (rule, level, message)
      (self.scenario, self.key) = (scenario, key)
      self.pointer = pointer == "" ? nil : pointer
    }

    /// The place in words: scenario, key and pointer, as far as there are any.
    package var place: String {
      [scenario, key, pointer].compactMap(\.self).joined(separator: " ")
    }

    /// The place and the message.
    package var text: String { place.isEmpty ? message : "\(place): \(message)" }
  }

  /// The command, such as `check`.
  package var command: String
  /// The version of the program.
  package var version: String
  /// The path of the catalog from the top of its repository, with `/`.
  package var catalog: String
  /// What each rule means, by its name, in one sentence.
  package var rules: [String: String]
  /// The scenarios that were looked at, in order.
  package var scenarios: [String]
  package var findings: [Finding]
  /// Whether the command could look at all of it.
  package var isComplete = true

  package init(
    command: String, version: String, catalog: String, rules: [String: String],
    scenarios: [String], findings: [Finding]
  ) {
    (self.command, self.version, self.catalog) = (command, version, catalog)
    (self.rules, self.scenarios, self.findings) = (rules, scenarios, findings)
  }

  /// The path of a file from the top of its git repository, by which forges name files; nil outside a repository.
  package static func pathInRepository(of url: URL) -> String? {
    let file = url.standardizedFileURL
    var folder = file.deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent(".git").path) {
        return String(file.path.dropFirst(folder.path.count + 1))
      }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  /// The name of the command and of the catalog.
  var title: String { "stubdb \(command) \(catalog)" }

  /// A value for each finding, in order, that stays the same while the finding is there.
  ///
  /// The message is no part of it, nor the position of a stub in its scenario, which change with edits elsewhere.
  var fingerprints: [String] {
    var counts: [[String]: Int] = [:]
    return findings.map { finding in
      var parts = [command, finding.rule, finding.scenario ?? "", finding.key ?? ""]
      parts.append(finding.pointerInStub)
      counts[parts, default: 0] += 1
      let words = parts + [String(counts[parts, default: 1])]
      let text = OrderedJSON.words(words).text
      return SHA256Digest.hexadecimal(of: Data(text.utf8))
    }
  }
}

extension FindingReport.Finding {
  /// The pointer without the position of the stub, which its key says.
  fileprivate var pointerInStub: String {
    guard key != nil, let pointer, let range = pointer.firstRange(of: "/stubs/") else {
      return pointer ?? ""
    }
    guard range.lowerBound == pointer.startIndex else { return pointer }
    return String(pointer[range.upperBound...].drop { $0 != "/" })
  }
}

/// A format that other programs read findings in.
package enum FindingFormat: String, CaseIterable, Sendable {
  /// Workflow commands of GitHub Actions, which become annotations of a pull request.
  case github
  /// SARIF 2.1.0, which code scanning reads.
  case sarif
  /// JUnit's XML in the form of Jenkins, which forges show as test results.
  case junit

  /// The report in this format.
  package func text(of report: FindingReport) -> String {
    switch self {
    case .github: GitHubAnnotations(report).text
    case .sarif: SARIFLog(report).text
    case .junit: JUnitReport(report).text
    }
  }
}
