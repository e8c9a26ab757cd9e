#if canImport(Testing)
  import StubDBModel
  import StubDBSupport
  public import StubDBTesting
  package import StubDBURLProtocol
  import StubDBVariations
  public import Testing

  /// Repeats each case of a test with `.scenario` that has passed, under one variation after another.
  ///
  /// A variation that shows a defect of the code under test fails the test at its line. Expectations that fail only
  /// because of a variation fail nothing by themselves.
  public struct SweepTrait: TestTrait, SuiteTrait, TestScoping, CaseRepeating {
    let kind: Variation.Kind
    let explorer: any VariationExplorer
    let rules: SweepRules
    /// Distinguishes this trait from others in the list of a test.
    private let identity = TraitIdentity()

    init(_ kind: Variation.Kind, _ explorer: any VariationExplorer, _ rules: SweepRules) {
      (self.kind, self.explorer, self.rules) = (kind, explorer, rules)
      // Traits are made for all tests of a process, of which those that run may have no sweep.
      SweepLogs.shared.noteWithoutSweep(ofProcess: SweepFilter(only: nil))
    }

    /// True: it applies to every test inside a suite, except where another trait repeats in the same way.
    public let isRecursive = true

    /// Provides a scope for cases that cannot be repeated, as they have no interceptor.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> SweepTrait? {
      testCase == nil || test.traits.contains { $0 is ScenarioTrait } ? nil : self
    }

    /// Executes a case that cannot be repeated, and warns.
    ///
    /// - Throws: The errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await function()
      test.warn(
        "This test is not repeated: sweeps change the answers that sessions get, in tests with .scenario or "
          + ".interceptor, and none that .served gives.")
    }

    /// Notes whether it is a trait of a suite, some of whose tests may have nothing to vary.
    public func prepare(for test: Test) async throws { identity.note(test) }

    package func repeatCase(
      of test: Test, _ testCase: Test.Case?, after interceptor: StubInterceptor,
      _ reach: SessionReach, _ function: @Sendable () async throws -> Void
    ) async {
      let sweeps = test.traits.compactMap { $0 as? SweepTrait }
      let innermost = Variation.Kind.allCases.compactMap { kind in
        sweeps.last { $0.kind == kind }
      }
      guard innermost.contains(where: { $0.identity === identity }), interceptor.recorder == nil
      else { return }
      let only = test.traits.lazy.compactMap { $0 as? OnlyVariationTrait }.last
      let filter = SweepFilter(only: only?.name)
      guard filter.allowsAny else { return }
      do {
        let runner = SweepRunner(
          test: test, testCase: testCase, base: interceptor, reach: reach,
          function: HeldFunction.holding(function), rules: rules, allowed: try rules.filters(),
          filter: filter, asking: NamedVariations.Asking(filter, suite: only?.suite, test),
          isOfSuite: identity.suite != nil)
        if let named = NamedVariation(for: runner, innermost) {
          // Once for all sweeps of the test.
          if innermost[0].identity === identity { named.report() }
          guard explorer.has(named.name, with: runner) else { return }
        }
        await explorer.explore(with: runner)
      } catch {
        Issue.record(
          "What a sweep allows cannot be read: \(error)", sourceLocation: test.sourceLocation)
      }
    }
  }

  /// Restricts the sweeps of a test to one variation.
  public struct OnlyVariationTrait: TestTrait, SuiteTrait, TestScoping {
    /// That a test has it and no sweep.
    private struct NothingToRestrict: Error, CustomStringConvertible {
      let description: String
    }

    let name: String
    private let identity = TraitIdentity()

    fileprivate init(_ name: String) { self.name = name }

    /// True: it applies to every test inside a suite.
    public let isRecursive = true

    /// The suite that has the trait; nil if one test has it.
    var suite: String? { identity.suite }

    /// Fails a test that has the trait and no sweep, which would pass without having tried the variation.
    ///
    /// - Throws: An error that says so.
    public func prepare(for test: Test) async throws {
      identity.note(test)
      guard suite == nil, !test.traits.contains(where: { $0 is SweepTrait }) else { return }
      throw NothingToRestrict(
        description:
          "\(test.name) has .only(\"\(name)\"), and no sweep that has variations. Add .everyFailure, "
          + ".everyEvolution or .everyOrder.")
    }

    /// Provides a scope for the cases of a suite's tests that have no sweep.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> OnlyVariationTrait? {
      let innermost = test.traits.lazy.compactMap { $0 as? OnlyVariationTrait }.last
      guard testCase != nil, suite != nil, innermost?.identity === identity,
        !test.traits.contains(where: { $0 is SweepTrait })
      else { return nil }
      return self
    }

    /// Executes a case, and notes that it has no sweep: if no test of the suite has one, that is said at the end.
    ///
    /// - Throws: The errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let filter = SweepFilter(only: name)
      if let asking = NamedVariations.Asking(filter, suite: suite, test), filter.allowsAny,
        !filter.isOfProcess
      {
        SweepLogs.shared.noteWithoutSweep(asking)
      }
      try await function()
    }
  }

  /// Tells one trait from others, and whether it is one of a suite.
  private final class TraitIdentity: Sendable {
    private let state = Locked(String?.none)

    /// The outermost suite that has the trait, which is known before the first test runs; nil if a test has it.
    var suite: String? { state.withLock(\.self) }

    /// Notes a suite or a test that has the trait; suites come before what is in them.
    func note(_ test: Test) {
      if test.isSuite { state.withLock { $0 = $0 ?? test.ledgerName } }
    }
  }

  extension Trait where Self == OnlyVariationTrait {
    /// Restricts the sweeps of a test to the variation with this name, as a finding prints it: `"charge/timeout"`.
    ///
    /// A name that the test does not have fails it. The variable `STUBDB_SWEEP` does the same for all tests of a process, of
    /// which those that do not have the variation run without one.
    public static func only(_ variation: String) -> Self { OnlyVariationTrait(variation) }
  }

  extension Trait where Self == SweepTrait {
    /// Repeats a test for each stub that answered and each failure.
    public static var everyFailure: Self { .everyFailure() }

    /// Repeats a test for each stub that answered and each failure, in virtual time.
    ///
    /// In a repetition, one stub fails each time that it is asked. A finding is a crash, a test that does not end, a
    /// request that is sent again and again (more than `retries` times more than without the failure), or too early, or
    /// again although it may have been carried out, and a request that no stub matches, unless a pattern of `allowing`
    /// does: a method and a URL as in `expectRequests(inOrder:)`. `deadline` is the real time without any request after
    /// which a test counts as one that does not end.
    public static func everyFailure(
      _ failures: [SweptFailure] = SweptFailure.allCases, mayFail: [String] = [],
      allowing: [String] = [], retries: Int = 10, deadline: Duration = .seconds(10)
    ) -> Self {
      SweepTrait(
        .failure, FailureSweep(failures: failures),
        SweepRules(
          expecting: nil, mayFail: mayFail, allowing: allowing, retries: retries,
          deadline: deadline))
    }

    /// Repeats a test for each stub that answered and each failure, after which an error must come out of the test.
    ///
    /// If the test throws no error that `expecting` accepts, the code under test has swallowed it, which is a finding.
    /// `mayFail` has the keys of the stubs whose failure the code under test may swallow.
    public static func everyFailure(
      _ failures: [SweptFailure] = SweptFailure.allCases,
      expecting: @escaping @Sendable (any Error, SweptFailure) -> Bool, mayFail: [String] = [],
      allowing: [String] = [], retries: Int = 10, deadline: Duration = .seconds(10)
    ) -> Self {
      SweepTrait(
        .failure, FailureSweep(failures: failures),
        SweepRules(
          expecting: expecting, mayFail: mayFail, allowing: allowing, retries: retries,
          deadline: deadline))
    }

    /// Repeats a test for each order of the answers to requests that are in flight together.
    public static var everyOrder: Self { .everyOrder() }

    /// Repeats a test for each stub that answered and each failure, after which an error of a type must come out of the test.
    ///
    /// Otherwise as with a closure.
    public static func everyFailure<Failure: Error>(
      _ failures: [SweptFailure] = SweptFailure.allCases, expecting type: Failure.Type,
      mayFail: [String] = [], allowing: [String] = [], retries: Int = 10,
      deadline: Duration = .seconds(10)
    ) -> Self {
      .everyFailure(
        failures, expecting: { error, _ in error is Failure }, mayFail: mayFail,
        allowing: allowing, retries: retries, deadline: deadline)
    }

    /// Repeats a test with the answers to requests that are in flight together in each order that is possible.
    ///
    /// A request that is sent after an answer stays after it. A finding is a failed expectation or an error that the
    /// unchanged run does not have. At most `limit` orders are tried; if there are more, a warning says so, and the second
    /// half of them is chosen at random, as `seed` says. `independent` has the keys of stubs of which it makes no difference
    /// when they answer. `deadline` is as for failures.
    public static func everyOrder(
      limit: Int = 200, seed: UInt64 = 0, independent: [String] = [], allowing: [String] = [],
      deadline: Duration = .seconds(10)
    ) -> Self {
      SweepTrait(
        .order, OrderSweep(limit: limit, seed: seed, independent: Set(independent)),
        SweepRules(allowing: allowing, deadline: deadline))
    }
  }
#endif
