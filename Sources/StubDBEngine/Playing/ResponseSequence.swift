import StubDBModel

/// The repetitions of a stub's responses, and what follows them.
struct ResponseSequence: Sendable {
  /// For each response, the number of answers after which it is used up; ascending.
  private let ends: [Int]
  private let then: AfterLastResponse

  init(_ stub: borrowing Stub) {
    var total = 0
    ends = stub.responses.map { response in
      let (sum, overflows) = total.addingReportingOverflow(max(1, response.repeatCount))
      total = overflows ? .max : sum
      return total
    }
    then = stub.then
  }

  /// The number of answers until all responses are used up.
  var total: Int { ends.last ?? 0 }

  /// The response that follows `given` answers, or what to do if all are used up.
  func turn(after given: Int) -> Turn {
    if given < total { return .response(index(given)) }
    switch then.kind {
    case .repeatLast: return .response(ends.count - 1)
    case .cycle: return .response(index(given % total))
    case .fail: return .fail
    case .passthrough: return .passthrough
    case .next: return .next
    }
  }

  enum Turn: Hashable {
    case response(Int)
    case passthrough
    case fail
    case next
  }

  /// The first response that is not used up after this many answers.
  private func index(_ given: Int) -> Int {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > given { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
