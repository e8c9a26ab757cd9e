import Foundation
import StubDBVariations

/// The names that are asked for in several tests of a process, or in several cases of one, and whether any has them.
struct NamedVariations: Sendable {
  /// Where a name is asked for.
  enum Origin: Hashable, Sendable {
    /// In the variable of the process.
    case variable
    /// In a trait of a suite, which has this name.
    case suite(String)
    /// In a trait of a parameterized test.
    case test(String)
  }

  struct Asking: Hashable, Sendable {
    let name: String
    let origin: Origin

    /// The parameterized test; nil if several tests are asked.
    var test: String? { if case .test(let name) = origin { name } else { nil } }
  }

  /// What the tests say that ran.
  private struct Answer {
    var isKnown = false
    /// Those that have sweeps.
    var tests: Set<String> = []
    /// Names that are likely meant, each with the test that has it.
    var near: [(name: String, test: String)] = []
    /// Where the tests' files are written, by catalog and module.
    var places: Set<Place> = []
  }

  /// By what the log of a test is found.
  struct Place: Hashable, Sendable {
    let catalog: String?
    let module: String
  }

  private static let mostNear = 3

  private var answers: [Asking: Answer] = [:]

  /// Notes whether a test or a case has what is asked for.
  mutating func note(
    _ asking: Asking, isKnown: Bool, in test: String, near: [String], at place: Place
  ) {
    var answer = answers[asking] ?? Answer()
    answer.isKnown = answer.isKnown || isKnown
    answer.tests.insert(test)
    answer.places.insert(place)
    for name in near where !answer.near.contains(where: { $0.name == name }) {
      answer.near.append((name, test))
    }
    answers[asking] = answer
  }

  /// Notes that a test is asked that has no sweep.
  mutating func noteWithoutSweep(_ asking: Asking) {
    if answers[asking] == nil { answers[asking] = Answer() }
  }

  /// What nobody had: who asked, what to say, and where to write it.
  var unknown: [(asking: Asking, message: String, places: Set<Place>)] {
    answers.filter { !$0.value.isKnown }.map { asking, answer in
      (asking, Self.message(asking, answer), answer.places)
    }.sorted { $0.message < $1.message }
  }

  private static func message(_ asking: Asking, _ answer: Answer) -> String {
    let (who, what) =
      switch asking.origin {
      case .variable: ("no test", SweepFilter.variable)
      case .suite(let suite): ("no test of the suite \(suite)", "its .only")
      case .test(let test): ("no case of \(test)", "its .only")
      }
    let start = "\(who) has the variation \(asking.name), which \(what) names"
    guard !answer.tests.isEmpty else {
      return
        "\(start); those that ran have no sweep, or have failed before it. Add .everyFailure, .everyEvolution or .everyOrder."
    }
    let ran = answer.tests.count == 1 ? "one test" : "\(answer.tests.count) tests"
    let near = answer.near.prefix(mostNear).map { near in
      asking.test == nil ? "\(near.name) of \(near.test)" : near.name
    }
    return
      "\(start); the sweeps of \(ran) have tried nothing."
      + (near.isEmpty ? "" : " Did you mean \(near.joined(separator: ", or "))?")
  }
}
