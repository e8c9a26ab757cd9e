/// Times two ways of doing the same thing, turn by turn, so that what else the machine does hits both.
struct Measurement {
  /// The median time of one unit of the baseline, in microseconds.
  var baseline: Double
  /// The median time of one unit of the subject, in microseconds.
  var subject: Double
  /// The median of what the subject takes by what the baseline takes, turn by turn.
  ///
  /// Not the ratio of the medians: a machine that has a fast and a slow mode would have them taken in different ones.
  var ratio: Double

  /// Runs both in turn; `count` is how many units one call does.
  static func compare(
    rounds: Int = 9, warmUpRounds: Int = 1, baselineCount: Int = 1, subjectCount: Int = 1,
    baseline: () async throws -> Void, subject: () async throws -> Void
  ) async throws -> Measurement {
    // The first calls of each pay for what a process pays once: code, threads, memory.
    for _ in 0..<warmUpRounds {
      try await baseline()
      try await subject()
    }
    var baselines: [Double] = []
    var subjects: [Double] = []
    for round in 0..<rounds {
      if round.isMultiple(of: 2) {
        baselines.append(try await microseconds(baseline) / Double(baselineCount))
        subjects.append(try await microseconds(subject) / Double(subjectCount))
      } else {
        subjects.append(try await microseconds(subject) / Double(subjectCount))
        baselines.append(try await microseconds(baseline) / Double(baselineCount))
      }
    }
    return Measurement(
      baseline: median(baselines), subject: median(subjects),
      ratio: median(zip(subjects, baselines).map { $0 / $1 }))
  }

  /// How long the closure takes, in microseconds.
  static func microseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let elapsed = try await ContinuousClock().measure(body)
    return Double(elapsed.components.seconds) * 1e6 + Double(elapsed.components.attoseconds) / 1e12
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
