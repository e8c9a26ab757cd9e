import StubDBDocuments
package import StubDBJSON
import StubDBSupport

/// What an import or an export kept, changed and lost.
package struct LossReport: Sendable {
  /// The lines, in the order of the inputs or of the stubs.
  package var lines: [ReportLine]
  /// How many requests of the inputs became part of stubs; of an export, the stubs.
  package var requestCount: Int
  package var stubCount: Int
  package var scenarioCount: Int
  /// How many values were ignored, because they have no influence on answers.
  package var ignoredCount: Int

  /// How many lines there are of a level.
  package func count(of level: ReportLevel) -> Int { lines.count { $0.level == level } }

  /// Whether anything was changed or dropped.
  package var hasLosses: Bool { lines.contains { $0.level != .ignored } }
}

// MARK: - Text

extension LossReport {
  /// The lines for people: equal ones once, with their number.
  ///
  /// What was ignored is listed if it is asked for. `shown` says how each part of a line is shown.
  package func text(
    includesIgnored: Bool = false, showing shown: (String) -> String = { $0 }
  ) -> [String] {
    var order: [Fold] = []
    var counts: [Fold: (first: ReportLine, count: Int)] = [:]
    for line in lines where includesIgnored || line.isShown {
      let fold = Fold(level: line.level, id: line.id, text: line.text)
      if counts[fold] == nil {
        order.append(fold)
        counts[fold] = (line, 0)
      } else {
        counts[fold]?.count += 1
      }
    }
    return order.compactMap { counts[$0] }.map { first, others in
      let more = others > 0 ? " (and \(others) more like this; --report FILE has all)" : ""
      return first.description(showing: shown) + more
    }
  }

  private struct Fold: Hashable {
    var level: ReportLevel
    var id: ReportID
    var text: String
  }

  /// The counts: `41 requests as 33 stubs in 4 scenarios; 3 changed, 2 dropped`.
  ///
  /// What was ignored is several values of each request, and says nothing.
  package var summary: String {
    let what = requestCount == stubCount ? "" : "\(Plural.of(requestCount, "request")) as "
    return "\(what)\(Plural.of(stubCount, "stub")) in \(Plural.of(scenarioCount, "scenario")); "
      + "\(count(of: .changed)) changed, \(count(of: .dropped)) dropped"
  }
}

extension ReportLine {
  /// Whether it is shown where what was ignored is not asked for.
  fileprivate var isShown: Bool { level != .ignored || id.isShown }
}

extension ReportLine: CustomStringConvertible {
  /// The line for people, `shop.har /log/entries/12/response/_error -> session/login get-token: dropped: …`; of an
  /// export `session/login get-token /responses/0/delay: dropped: …`.
  package var description: String { description { $0 } }

  /// The same, with each part as it is to be shown: what is before a colon is a place here, and not the name of a value.
  func description(showing shown: (String) -> String) -> String {
    let place: [String?] =
      file.isEmpty
      ? [scenario, key, pointer] : [file, pointer, scenario.map { "-> \($0)" }, key]
    let words = place.compactMap { $0 }.filter { !$0.isEmpty }.map(shown)
    return "\(words.joined(separator: " ")): \(level.rawValue): \(shown(text))"
  }

  /// The line as JSON: every member, `null` where it has no value.
  package var json: JSONValue {
    .object([
      "level": .string(level.rawValue), "file": file.isEmpty ? .null : .string(file),
      "pointer": pointer.map(JSONValue.string) ?? .null,
      "line": line.map { .number(JSONNumber($0)) } ?? .null,
      "scenario": scenario.map(JSONValue.string) ?? .null,
      "key": key.map(JSONValue.string) ?? .null, "id": .string(id.rawValue),
      "text": .string(text),
    ])
  }
}

extension LossReport {
  /// The lines as a JSON array: each one that ``text(includesIgnored:showing:)`` has, by itself.
  ///
  /// `shown` says how each text in them is shown.
  package func json(
    includesIgnored: Bool = false, showing shown: (String) -> String = { $0 }
  ) -> JSONValue {
    .array(lines.filter { includesIgnored || $0.isShown }.map { $0.json.mappingTexts(shown) })
  }
}
