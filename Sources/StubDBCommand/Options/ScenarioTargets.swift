import ArgumentParser
import StubDBEditing
import StubDBJobs
import StubDBModel

extension ScenarioTargets {
  /// Throws a `ValidationError` for words that no catalog makes sense of.
  static func validate(_ words: [String]) throws {
    try validateNames(words)
    guard let target = words.last, words.count > 1 else {
      throw ValidationError(
        "Give what there is and the new name, such as checkout/paid checkout/accepted.")
    }
    let sources = try words.dropLast().map(ScenarioSelection.init(argument:))
    if case .scenario(let name) = try ScenarioSelection(argument: target) {
      guard sources.count == 1, case .scenario = sources[0] else {
        throw ValidationError(
          "Several scenarios need an area to go to: end it with /, as \(name)/.")
      }
    }
  }

  /// Throws a `ValidationError` for the first word that is neither a scenario's name nor an area.
  static func validateNames(_ words: [String]) throws {
    for word in words {
      do {
        _ = try ScenarioSelection(argument: word)
      } catch {
        throw ValidationError("\(TerminalText.quoted(word)) is not a scenario name: \(error)")
      }
    }
  }
}
