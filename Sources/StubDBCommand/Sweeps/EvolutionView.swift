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
  /// How many changes a test tries by itself, if all are listed; nil if these are listed.
  var triedCount: Int?

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

  /// The sum, what is left alone, and what the limits have left out.
  var notes: [String] {
    let changed = evolutions.answerCount - evolutions.leftAlone.count
    let sum =
      "\(Plural.of(evolutions.variations.count, "compatible change")) in "
      + "\(changed) of \(Plural.of(evolutions.answerCount, "answer")) of \(scenario)."
    return [sum] + leftAlone + cuts
  }

  private var leftAlone: [String] {
    let reasons = evolutions.leftAlone.prefix(Self.mostReasons).map { answer, reason in
      "Left alone: \(Self.name(answer)): \(reason)."
    }
    let rest = evolutions.leftAlone.count - reasons.count
    return reasons + (rest > 0 ? ["Left alone: \(rest) more; --json has all."] : [])
  }

  private var cuts: [String] {
    let cuts = evolutions.cuts.prefix(Self.mostReasons).map { answer, cut in
      "Cut: \(Self.name(answer)): \(cut.phrase)."
    }
    let rest = evolutions.cuts.count - cuts.count
    return cuts + (rest > 0 ? ["Cut: \(rest) more; --json has all."] : []) + advice
  }

  /// What a test tries of it.
  private var advice: [String] {
    guard let triedCount else {
      return evolutions.cuts.isEmpty
        ? [] : ["By itself, a test tries no more than this. To list the rest, add --all."]
    }
    guard triedCount < evolutions.variations.count else { return [] }
    return [
      "By itself, a test tries \(triedCount) of these; it tries any other one that .only or STUBDB_SWEEP names."
    ]
  }

  private static func name(_ answer: EvolutionSource.Answer) -> String {
    "response \(answer.index + 1) of \(TerminalText.line(answer.stub.key))"
  }
}
