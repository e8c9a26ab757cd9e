package import StubDBModel

/// The answers that runs saw to equal requests.
package struct SeenAnswers {
  /// An answer, or a sequence of them, and who saw it.
  package struct Answer {
    package var responses: [StubResponse]
    package var recorded: Stub.Recording?
    package var tests: Set<String>
  }

  /// The requests of one run.
  private struct Sighting {
    let run: Int
    let answer: Int
    /// The numbers of the requests in their run, ascending; empty for an answer that belongs to no order.
    let orders: [Int]
  }

  /// The different ones, in the order in which they were seen first.
  package private(set) var list: [Answer] = []
  /// The index of the one that was seen last.
  package private(set) var last = 0
  private var places: [[StubResponse]: Int] = [:]
  private var sightings: [Sighting] = []

  package var tests: [String] {
    list.reduce(into: Set<String>()) { $0.formUnion($1.tests) }.sorted()
  }

  package mutating func add(
    _ responses: [StubResponse], _ recorded: Stub.Recording?, _ tests: Set<String>, orders: [Int],
    in run: Int
  ) {
    if let place = places[responses] {
      last = place
      list[place].tests.formUnion(tests)
      if let recorded { list[place].recorded = recorded }
    } else {
      last = list.count
      places[responses] = last
      list.append(Answer(responses: responses, recorded: recorded, tests: tests))
    }
    sightings.append(Sighting(run: run, answer: last, orders: orders))
  }

  /// Only one of the answers.
  package func choosing(_ place: Int) -> SeenAnswers {
    var chosen = SeenAnswers()
    chosen.list = [list[place]]
    chosen.places = [list[place].responses: 0]
    chosen.sightings = sightings.filter { $0.answer == place }.map {
      Sighting(run: $0.run, answer: 0, orders: $0.orders)
    }
    return chosen
  }

  /// The number of the first run that saw any of them; nil if none did.
  var firstRun: Int? { sightings.first?.run }

  /// The answers as if all the requests had been equal: those of a run are a sequence in the order of its requests.
  package static func merged(_ parts: [SeenAnswers]) -> SeenAnswers {
    var runs: [Int: [(order: Int, response: StubResponse, of: Answer)]] = [:]
    for part in parts {
      for sighting in part.sightings {
        let answer = part.list[sighting.answer]
        let responses = answer.responses.flatMap { response in
          var single = response
          single.repeatCount = 1
          return Array(
            repeating: single, count: answer.responses.count == 1 ? 1 : response.repeatCount)
        }
        for (index, order) in sighting.orders.enumerated() {
          let response = responses[min(index, responses.count - 1)]
          runs[sighting.run, default: []].append((order, response, answer))
        }
      }
    }
    var merged = SeenAnswers()
    for part in parts {
      for sighting in part.sightings where sighting.orders.isEmpty {
        let answer = part.list[sighting.answer]
        merged.add(answer.responses, answer.recorded, answer.tests, orders: [], in: sighting.run)
      }
    }
    for (run, turns) in runs.sorted(by: { $0.key < $1.key }) {
      let turns = turns.sorted { $0.order < $1.order }
      merged.add(
        sequence(turns.map(\.response)), turns.compactMap(\.of.recorded).last,
        turns.reduce(into: []) { $0.formUnion($1.of.tests) }, orders: turns.map(\.order), in: run)
    }
    return merged
  }

  /// Equal neighbours as one; one response if all are equal.
  private static func sequence(_ responses: [StubResponse]) -> [StubResponse] {
    var list: [StubResponse] = []
    for response in responses {
      if var last = list.last {
        let count = last.repeatCount
        last.repeatCount = 1
        if last == response {
          list[list.count - 1].repeatCount = count + 1
          continue
        }
      }
      list.append(response)
    }
    if list.count == 1 { list[0].repeatCount = 1 }
    return list
  }
}

extension ScenarioReview.Proposal {
  /// One stub for the requests of several proposals.
  package static func merged(_ parts: [Self], as request: RequestPattern) -> Self {
    guard parts.count != 1 || parts[0].stub.request != request else { return parts[0] }
    var merged = parts[0]
    merged.kind = .new
    merged.stub.request = request
    merged.entries = parts.flatMap(\.entries)
    merged.answers = SeenAnswers.merged(parts.map(\.answers))
    merged.propose()
    return merged
  }

  /// Proposes the answer that was seen last.
  package mutating func propose() {
    guard !answers.list.isEmpty else { return }
    if answers.list.count > 1 { kind = .conflict }
    stub.responses = answers.list[answers.last].responses
    stub.recorded = answers.list[answers.last].recorded
  }
}
