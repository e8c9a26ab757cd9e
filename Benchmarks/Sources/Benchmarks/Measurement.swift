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
  ///
  /// `prepare` runs before each of them, and is not measured.
  static func compare(
    rounds: Int = 9, warmUpRounds: Int = 1, baselineCount: Int = 1, subjectCount: Int = 1,
    prepare: () async throws -> Void = {}, baseline: () async throws -> Void,
    subject: () async throws -> Void
  ) async throws -> Measurement {
    // The first calls of each pay for what a process pays once: code, threads, memory.
    for _ in 0..<warmUpRounds {
      try await prepare()
      try await baseline()
      try await prepare()
      try await subject()
    }
    var baselines: [Double] = []
    var subjects: [Double] = []
    func measureBaseline() async throws {
      try await prepare()
      baselines.append(try await microseconds(baseline) / Double(baselineCount))
    }
    func measureSubject() async throws {
      try await prepare()
      subjects.append(try await microseconds(subject) / Double(subjectCount))
    }
    for round in 0..<rounds {
      if round.isMultiple(of: 2) {
        try await measureBaseline()
        try await measureSubject()
      } else {
        try await measureSubject()
        try await measureBaseline()
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

  static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
