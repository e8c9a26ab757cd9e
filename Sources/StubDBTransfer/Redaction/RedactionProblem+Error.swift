package import Foundation
package import StubDBJobs
internal import StubDBModel
internal import StubDBSecrets

extension RedactionProblem {
  /// The problem with what to do next.
  package func error(in catalog: URL) -> JobError {
    switch self {
    case .conflicts:
      JobError(
        .refused,
        "\(file: catalog) got conflicts of a merge in the meantime, which contain values too",
        hints: ["To see and settle them first: \(command: ["resolve"], catalog: catalog)"])
    case .slowRule(let timeout):
      JobError(
        .refused,
        "\(quoted: timeout.rule) takes too long on \(timeout.place.words); nothing was changed",
        hints: ["Do not nest repetitions: a+b in place of (a+)+b, .*x in place of (.*)*x"])
    case .invalid(let name, let number, let error):
      JobError(
        .refused,
        """
        nothing was changed: without the values the scenario \(number) is not valid: \
        \(error.pointer): \(error.message)
        """,
        hints: [
          """
          Choose rules that leave this place alone, or change it first: \
          \(command: "edit", on: [name.rawValue], catalog: catalog)
          """
        ])
    case .remainder(let remainder): remainder.error(in: catalog)
    }
  }
}

extension RedactionProof.Remainder {
  fileprivate func error(in catalog: URL) -> JobError {
    let problem =
      if !places.isEmpty {
        "it still contains one of the values"
      } else if !files.isEmpty {
        "files beside it still contain one of the values"
      } else if !unreadable.isEmpty {
        "files beside it cannot be read and may still contain one of the values"
      } else {
        "its bytes still contain one of the values outside all scenarios"
      }
    var hints: [JobText] = places.map { place, isKept in
      isKept
        ? "Left as it is, because nothing valid would be left of it: \(place.words)"
        : "Still there: \(place.words)"
    }
    if let scenario = places.map(\.place.scenario).first(where: { !$0.hasPrefix("<") }) {
      hints.append(
        "To change that by hand: \(command: "edit", on: [scenario], catalog: catalog)")
    }
    hints += files.map { "Left by a program that was stopped: \(shell: "rm", file: $0)" }
    hints += unreadable.map { "Cannot be read, so it may contain one: \(file: $0)" }
    if hints.isEmpty {
      hints = ["To see whether it is whole: \(command: ["check"], catalog: catalog)"]
    }
    return JobError(.secret, "\(file: catalog) was redacted, but \(problem)", hints: hints)
  }
}

extension SecretPlace {
  /// The place inside a sentence.
  fileprivate var words: String {
    [scenario, key, pointer].compactMap(\.self).joined(separator: " ")
  }
}
