import StubDBJSON
import StubDBMirror
import StubDBModel

/// Differences between a mirror and its catalog as text.
struct MirrorReport {
  let folder: String
  let catalog: String

  func lines(_ differences: [MirrorDifference]) -> [String] {
    differences.flatMap { difference in
      [heading(difference)] + details(difference).map { "  " + Printable.line($0) }
    }
  }

  func json(_ differences: [MirrorDifference]) -> OrderedJSON {
    .array(
      differences.map { difference in
        .object([
          ("scenario", .string(difference.scenario?.rawValue)),
          ("path", .string(difference.path)),
          ("difference", .string(difference.kind.rawValue)),
          ("details", .strings(difference.details)),
        ])
      })
  }

  func summary(_ differences: [MirrorDifference]) -> String {
    "\(folder) is not in step with \(catalog): \(Counted.of(differences.count, "difference"))."
  }

  private func heading(_ difference: MirrorDifference) -> String {
    let path = Printable.line("\(folder)/\(difference.path)")
    let text = Style.output.bold(difference.scenario?.rawValue ?? path)
    return switch difference.kind {
    case .missing: "\(text): only in the catalog; \(path) is missing"
    case .surplus: "\(text): only in the folder, in \(path)"
    case .changed: "\(text): \(path) differs"
    case .unreadable: "\(text): cannot be read"
    }
  }

  private func details(_ difference: MirrorDifference) -> [String] {
    difference.details
  }
}
