import Foundation
import StubDBSupport
import StubDBTemplates

/// The time of a request, and the work that may still be done for it.
///
/// Only the call that made it may use it.
final class MatchContext {
  /// The time when the request came; the same for all patterns, captures and templates.
  private(set) lazy var arrival = givenArrival ?? Date()
  /// The same as a date-time of a pattern.
  private(set) lazy var now = DateTime(arrival)
  private let givenArrival: Date?
  /// What matching, captures, templates and the explanation draw from.
  private(set) var budget: WorkBudget
  /// The steps that each expression has taken of its allowance.
  ///
  /// The expressions are kept, because another one could get the identity of one that is gone.
  private var allowanceUsed: [ObjectIdentifier: (steps: Int, expression: WholeValueRegex)] = [:]
  private var hasLargeStack = false
  /// What waits for the result; nil if the work does not end before it is done.
  let work: RequestWork?
  /// The memory that was taken for forms of the content, which live as long as this.
  private var takenByteCount = 0
  /// Whether memory for a large form was asked for.
  private var isLarge = false

  /// Begins matching a request that came at the given time; nil means now.
  init(arrival: Date? = nil, budget: WorkBudget = .answering, work: RequestWork? = nil) {
    givenArrival = arrival
    self.budget = budget
    self.work = work
  }

  deinit {
    if takenByteCount > 0 { work?.giveBack(byteCount: takenByteCount) }
  }

  /// Whether the result means nothing: there is too little memory, or the client has gone and it takes long.
  ///
  /// Quick work is done for clients that have gone, too: a request that is sent, and whose answer is not waited for,
  /// counts.
  var isAbandoned: Bool {
    guard let work else { return false }
    let isLong = isLarge || budget.taken > Self.longWork
    return isLong && work.isCancelled || work.lacksMemory
  }

  /// The steps after which work for a client that has gone is given up; some tens of milliseconds.
  private static let longWork = 100_000
  /// Forms of the content that are smaller are not counted.
  private static let freeByteCount = 64 << 10

  /// Takes memory for a form of the content; false if there is too little, or if the client has gone.
  func take(byteCount: Int) -> Bool {
    guard byteCount > Self.freeByteCount, let work else { return true }
    isLarge = true
    guard !work.isCancelled, work.take(byteCount: byteCount) else { return false }
    takenByteCount += byteCount
    return true
  }

  /// Gives back memory of what came to nothing.
  func giveBack(byteCount: Int) {
    guard byteCount > Self.freeByteCount, let work else { return }
    takenByteCount -= byteCount
    work.giveBack(byteCount: byteCount)
  }

  /// Whether the value matches the expression; nil if that takes too long.
  func matches(_ value: String, _ expression: WholeValueRegex) -> Bool? {
    let isUsedUp = budget.left < 2 * WorkBudget.allowance
    let used = isUsedUp ? allowanceUsed[expression.identity]?.steps ?? 0 : 0
    guard used < WorkBudget.allowance, !isAbandoned else { return nil }
    var limit =
      isUsedUp
      ? budget.grant(atMost: 0, atLeast: WorkBudget.allowance - used)
      : budget.grant(atMost: BoundedRegex.maximumCost)
    let granted = limit
    let verdict = expression.matches(value, visiting: &limit)
    budget.putBack(limit)
    if isUsedUp, limit < granted {
      allowanceUsed[expression.identity] = (used + granted - limit, expression)
    }
    return verdict
  }

  /// The first match of an expression and its groups.
  ///
  /// A group that took no part is empty.
  func groups(of expression: BoundedRegex, in text: String) -> BoundedRegex.FirstMatch {
    guard text.utf8.count <= WholeValueRegex.maximumLength, budget.left > 0 else {
      return .givenUp
    }
    return spending { expression.groups(in: text, visiting: &$0) }
  }

  /// Sets steps aside for work that goes on beside other work, and must return what it did not need.
  func grant(atMost most: Int, atLeast fewest: Int) -> Int {
    isAbandoned ? 0 : budget.grant(atMost: most, atLeast: fewest)
  }

  func putBack(_ steps: Int) { budget.putBack(steps) }

  /// Raises the limit for content of this size.
  func allow(byteCount: Int) { budget.allow(byteCount: byteCount) }

  /// Runs the work of a pattern, which may do a little even if all steps are used up.
  func visiting<Result>(_ work: (_ limit: inout Int) -> Result) -> Result {
    spending(atLeast: WorkBudget.allowance, work)
  }

  /// Runs work with a limit, from which it takes the steps that it needs; nothing is granted to work that is given up.
  func spending<Result>(
    atMost most: Int = .max, atLeast fewest: Int = 0, _ work: (_ limit: inout Int) -> Result
  ) -> Result {
    var limit = isAbandoned ? 0 : budget.grant(atMost: most, atLeast: fewest)
    let result = work(&limit)
    budget.putBack(limit)
    return result
  }

  /// Renders templates of an answer, whose nodes are steps.
  func rendering<Result, Failure: Error>(
    _ environment: AnswerEnvironment,
    _ work: (inout TemplateRenderer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let granted = grant(atMost: TemplateRenderer.Limit.steps, atLeast: WorkBudget.allowance)
    var renderer = TemplateRenderer(environment, steps: granted)
    defer { budget.putBack(granted - renderer.steps) }
    return try work(&renderer)
  }

  /// Runs recursive work, on a larger stack if the content is deep.
  func going<Result>(deep isDeep: Bool, _ work: () -> Result) -> Result {
    guard isDeep, !hasLargeStack else { return work() }
    hasLargeStack = true
    defer { hasLargeStack = false }
    // A new thread does not inherit the caller's task.
    let showsSecrets = SecretDisplay.isShown
    return LargeStack.run { SecretDisplay.$isShown.withValue(showsSecrets, operation: work) }
  }
}
