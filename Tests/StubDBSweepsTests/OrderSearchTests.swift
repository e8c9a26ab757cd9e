import StubDBTestSupport
import Testing

@testable import StubDBSweeps

/// Answers that become possible after others, and which of them commute.
private struct Releases {
  var labels: [String]
  /// What each needs before it.
  var needs: [String: Set<String>] = [:]
  var commuting: Set<Set<String>> = []

  /// A random partial order, of which some pairs commute.
  init(_ random: inout SeededRandom) {
    labels = (0..<Int.random(in: 1...6, using: &random)).map { "r\($0)" }
    for (index, label) in labels.enumerated() {
      needs[label] = Set(
        labels[..<index].filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      for other in labels[..<index] where Bool.random(using: &random) {
        commuting.insert([label, other])
      }
    }
  }

  func pending(after order: [String]) -> [String] {
    labels.filter { !order.contains($0) && needs[$0]?.isSubset(of: order) == true }
  }

  /// All orders that are possible.
  var all: [[String]] {
    var (complete, open): ([[String]], [[String]]) = ([], [[]])
    while let order = open.popLast() {
      let next = pending(after: order)
      if next.isEmpty { complete.append(order) }
      open += next.map { order + [$0] }
    }
    return complete
  }

  /// Orders that become each other by exchanging neighbours that commute have the same representative.
  func representatives(of orders: [[String]]) -> [[String]: [String]] {
    var representative: [[String]: [String]] = [:]
    for order in orders where representative[order] == nil {
      var open = [order]
      while let member = open.popLast() {
        guard representative[member] == nil else { continue }
        representative[member] = order
        for index in member.indices.dropLast()
        where commuting.contains([member[index], member[index + 1]])
          && needs[member[index + 1]]?.contains(member[index]) == false
        {
          var exchanged = member
          exchanged.swapAt(index, index + 1)
          open.append(exchanged)
        }
      }
    }
    return representative
  }
}

@Suite struct OrderSearchTests {
  @Test(arguments: 0..<400)
  func oneOrderIsTriedOfThoseThatDifferOnlyByWhatCommutes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let releases = Releases(&random)
    let commuting = releases.commuting
    var search = OrderSearch { commuting.contains([$0, $1]) }
    var tried: [[String]] = []
    while search.beginRun() {
      var order: [String] = []
      var isCovered = false
      while case let pending = releases.pending(after: order), !pending.isEmpty {
        let chosen = search.choose(among: pending)
        isCovered = isCovered || chosen == nil
        order.append(try #require(chosen ?? pending.first))
      }
      if !isCovered { tried.append(order) }
      try #require(tried.count <= 720)
    }
    let representative = releases.representatives(of: releases.all)
    let classes = tried.compactMap { representative[$0] }
    #expect(classes.count == tried.count)
    #expect(Set(classes) == Set(representative.values), "an order is missing")
    #expect(Set(classes).count == tried.count, "two orders are the same")
  }

  @Test func withoutWhatCommutesAllOrdersAreTried() {
    var search = OrderSearch()
    var tried: Set<[String]> = []
    while search.beginRun() {
      var rest = ["a", "b", "c", "d"]
      var order: [String] = []
      while let chosen = search.choose(among: rest) {
        rest.removeAll { $0 == chosen }
        order.append(chosen)
      }
      tried.insert(order)
      #expect(search.estimatedCount == 24)
    }
    #expect(tried.count == 24)
    #expect(search.isExhausted)
  }

  /// A request that a slow machine sends late is not overlooked: the order is tried once it was seen.
  @Test func whatALaterRunSeesIsTriedToo() {
    var search = OrderSearch()
    /// The choices of a run, among what it sees at each point.
    func run(_ points: [[String]]) -> [String?] {
      guard search.beginRun() else { return [] }
      return points.map { search.choose(among: $0) }
    }
    #expect(run([["a"], ["b", "c"], ["c"]]) == ["a", "b", "c"])
    #expect(run([["a", "b"], ["b", "c"], ["b"]]) == ["a", "c", "b"])
    #expect(run([["a", "b"], ["a", "c"], ["c"]]) == ["b", "a", "c"])
    #expect(search.prefix == ["b", "a", "c"])
  }
}
