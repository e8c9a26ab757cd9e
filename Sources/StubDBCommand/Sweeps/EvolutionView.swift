import StubDBJobs
import StubDBModel
import StubDBSupport
import StubDBVariations

/// The compatible changes of a scenario's answers as text.
struct EvolutionView {
  /// More answers that are left alone are counted only.
  private static let mostReasons = 20

  let evolutions: ScenarioEvolutions
  let scenario: ScenarioName

  /// A line for each change: its name, what changes where, and why clients must stand it.
  func table(columns: Int?, style: Style) -> String {
    var table = Table([.left, .left, .left])
    if columns != nil { table.add(["VARIATION", "CHANGE", "WHY"], style: style.dim) }
    for variation in evolutions.variations {
      guard let evolution = variation.evolution else { continue }
      let place = "\(evolution.pointer)"
      table.add([
        TerminalText.line(variation.name),
        evolution.change.phrase + (place.isEmpty ? "" : " in \(TerminalText.line(place))"),
        TerminalText.line(evolution.shownReason),
      ])
    }
    return table.text(fitting: columns)
  }

  /// The sum, and what is left alone.
  var notes: [String] {
    let changed = evolutions.answerCount - evolutions.leftAlone.count
    let sum =
      "\(Plural.of(evolutions.variations.count, "compatible change")) in "
      + "\(changed) of \(Plural.of(evolutions.answerCount, "answer")) of \(scenario)."
    let reasons = evolutions.leftAlone.prefix(Self.mostReasons).map { answer, reason in
      "Left alone: response \(answer.index + 1) of \(TerminalText.line(answer.stub.key)): \(reason)."
    }
    let rest = evolutions.leftAlone.count - reasons.count
    return [sum] + reasons + (rest > 0 ? ["Left alone: \(rest) more; --json has all."] : [])
  }
}
