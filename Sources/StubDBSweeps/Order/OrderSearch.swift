/// Enumerates the orders in which answers can be released, from runs that are repeated.
///
/// A depth-first search over the choices of runs, with sleep sets: of orders that differ only by exchanging neighbours
/// that commute, one is tried (Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996).
struct OrderSearch {
  /// A point of a run at which an answer is chosen.
  private struct Point {
    /// The answers that could be released; grows if a later run sees more.
    var pending: [String]
    /// Those whose orders are covered by what was tried before.
    let asleep: Set<String>
    /// Those that were tried; the last one is being tried.
    var tried: [String]

    /// What can still be tried.
    var rest: [String] { pending.filter { !asleep.contains($0) && !tried.contains($0) } }
  }

  private let commute: @Sendable (String, String) -> Bool
  private var path: [Point] = []
  /// How many choices the current run has made.
  private var depth = 0
  /// Whether the current run has left what is enumerated.
  private var isAstray = false
  private var hasBegun = false

  /// Makes a search; `commute` says whether it makes no difference which of two answers is released first.
  init(commute: @escaping @Sendable (String, String) -> Bool = { _, _ in false }) {
    self.commute = commute
  }

  /// Begins the next run; false if all orders were tried.
  mutating func beginRun() -> Bool {
    (depth, isAstray) = (0, false)
    guard hasBegun else {
      hasBegun = true
      return true
    }
    while let last = path.indices.last {
      if let next = path[last].rest.first {
        path[last].tried.append(next)
        return true
      }
      path.removeLast()
    }
    return false
  }

  /// Whether no order is left after the current run.
  var isExhausted: Bool { hasBegun && path.allSatisfy(\.rest.isEmpty) }

  /// How many orders there are, if all of them have as many choices as the current one.
  var estimatedCount: Double {
    path.reduce(1) { count, point in
      count * Double(point.pending.count { !point.asleep.contains($0) })
    }
  }

  /// The choices with which the current run begins.
  var prefix: [String] { path.compactMap(\.tried.last) }

  /// The answers that an earlier run could release where the current one is.
  var expected: [String] { !isAstray && depth < path.count ? path[depth].pending : [] }

  /// Chooses among the answers that can be released now, in order of preference; nil if the rest of the run is covered by
  /// earlier ones.
  mutating func choose(among pending: [String]) -> String? {
    guard !isAstray else { return pending.first }
    guard depth < path.count else { return chooseFirst(among: pending) }
    for label in pending where !path[depth].pending.contains(label) {
      path[depth].pending.append(label)
    }
    guard let chosen = path[depth].tried.last, pending.contains(chosen) else {
      // The code under test did something else than before.
      isAstray = true
      return pending.first
    }
    depth += 1
    return chosen
  }

  /// Chooses where no run was before.
  private mutating func chooseFirst(among pending: [String]) -> String? {
    var asleep: Set<String> = []
    if let last = path.last, let chosen = last.tried.last {
      asleep = last.asleep.union(last.tried.dropLast()).filter { commute($0, chosen) }
    }
    guard let chosen = pending.first(where: { !asleep.contains($0) }) else {
      isAstray = true
      return nil
    }
    path.append(Point(pending: pending, asleep: asleep, tried: [chosen]))
    depth += 1
    return chosen
  }
}
