#if canImport(Testing)
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBTesting
  import StubDBURLProtocol
  import Testing

  /// What happens in a repetition.
  enum RepetitionEvent: Sendable {
    case ended((any Error)?)
    case givenUp(GivenUp)
  }

  /// Why a repetition was not waited for.
  enum GivenUp: Hashable, Sendable {
    case endlessRetry
    case hang(String)
  }

  /// One call of a test's function, with an interceptor of its own.
  ///
  /// A call that does not end is left alone: it waits, or the client would see its requests fail and perhaps never rest.
  struct Repetition: Sendable {
    /// A client that waits longer in the scenario's time has no time-out in practice.
    static let virtualDeadline = Duration.seconds(3_600)
    /// So many requests more than without the variation are sent by no client that ends by itself.
    private static let mostRequests = 10_000
    /// How often it is looked whether anything happens.
    private static let turn = Duration.milliseconds(20)
    /// How long a run that changes nothing may do nothing: its delays take their time.
    private static let unchangedDeadline = Duration.seconds(60)
    /// How long a request may wait, in real time, that nothing will ever answer.
    private static let silence = Duration.seconds(2)
    /// What ends the description of a failure, and says nothing.
    private static let severity = " (error)"

    private let runner: SweepRunner
    private let interceptor: StubInterceptor
    private let control: any RepetitionControl
    /// Whether it goes at the pace of the test, as for a run that changes nothing.
    private let isUnchanged: Bool
    private let events: AsyncStream<RepetitionEvent>.Continuation
    private let issues = Locked([(text: String, place: String, error: (any Error)?)]())

    init(
      _ runner: SweepRunner, control: any RepetitionControl, isUnchanged: Bool = false,
      events: AsyncStream<RepetitionEvent>.Continuation
    ) {
      (self.runner, self.control, self.events) = (runner, control, events)
      self.isUnchanged = isUnchanged
      var options = runner.base.options
      if !isUnchanged { options.pace = .instant }
      options.isReportedElsewhere = true
      options.control = ChosenControl(control: control)
      let base = runner.base.player
      interceptor = StubInterceptor(
        playing: base.hasScenario ? base.run.scenario : nil, options: options)
    }

    /// Calls the function, and waits until it ends or is given up.
    func outcome(_ stream: AsyncStream<RepetitionEvent>) async -> Attempt {
      let call = Task { events.yield(.ended(await perform())) }
      let watch = Task { await giveUpInTime() }
      let driver = Task { await control.drive(interceptor.player) }
      var attempt = Attempt()
      await withTaskCancellationHandler {
        var iterator = stream.makeAsyncIterator()
        switch await iterator.next() {
        case .ended(let error): attempt.error = error
        case .givenUp(let reason): attempt.givenUp = reason
        case nil: break
        }
      } onCancel: {
        call.cancel()
        // The time limit of the test ends a repetition that does not end by itself.
        events.finish()
      }
      watch.cancel()
      driver.cancel()
      attempt.isCutShort = Task.isCancelled
      attempt.virtualTime = interceptor.player.virtualTime.now
      attempt.journal = interceptor.journal
      (attempt.varied, attempt.excess) = (control.varied, control.excess)
      attempt.wasVaried = control.hasVaried
      if attempt.givenUp == nil || runner.reach == .sharedSession { interceptor.end() }
      let issues = issues.withLock { $0 }
      attempt.issues = issues.map(\.text)
      attempt.issueErrors = issues.compactMap(\.error)
      attempt.expectations = issues.filter { $0.error == nil }.map { ($0.text, $0.place) }
      return attempt
    }

    /// Calls the function; returns the error that it throws.
    private func perform() async -> (any Error)? {
      do {
        if runner.reach == .sharedSession { try interceptor.interceptSharedSession() }
        try await CurrentScope.$value.withValue(CurrentScope(interceptor)) {
          try await collectingIssues()
        }
        return nil
      } catch is ExpectationFailedError {
        return nil
      } catch {
        return error
      }
    }

    /// Calls the function, whose issues are kept and fail nothing.
    private func collectingIssues() async throws {
      let keep: @Sendable (Issue) -> Void = { issue in
        // An issue of no test reaches the handlers of all tests that run, and the framework's own, which reports it.
        guard Test.current != nil else { return }
        // Earlier versions do not distinguish failures from warnings.
        #if compiler(>=6.3)
          guard issue.isFailure else { return }
        #endif
        var text = "\(issue)"
        if text.hasSuffix(Self.severity) { text.removeLast(Self.severity.count) }
        let place = issue.sourceLocation.map { " at \($0.fileName):\($0.line)" } ?? ""
        let error = issue.error is ExpectationFailedError ? nil : issue.error
        issues.withLock { $0.append((text + place, place, error)) }
      }
      #if compiler(>=6.2)
        let trait = IssueHandlingTrait.compactMapIssues { issue in
          keep(issue)
          return nil
        }
        try await trait.provideScope(
          for: runner.test, testCase: runner.testCase, performing: runner.function.perform)
      #else
        await withKnownIssue(isIntermittent: true) {
          try await runner.function.perform()
        } matching: { issue in
          keep(issue)
          return true
        }
      #endif
    }

    /// Watches whether anything happens.
    ///
    /// Counts its own turns: where a machine has no time for them, the code under test has none either.
    private func giveUpInTime() async {
      let player = interceptor.player
      let deadline =
        isUnchanged ? max(runner.rules.deadline, Self.unchangedDeadline) : runner.rules.deadline
      var seen = (requests: 0, time: Duration.zero)
      var (unchanged, silent) = (Duration.zero, Duration.zero)
      while (try? await Task.sleep(for: Self.turn)) != nil {
        let (time, held) = (player.virtualTime, control.heldCount)
        let now = (requests: player.run.journal.count, time: time.now)
        unchanged = now == seen && held == 0 ? unchanged + Self.turn : .zero
        seen = now
        if now.requests > runner.base.journal.count + Self.mostRequests {
          return giveUp("The test sends requests without end, \(now.requests) until now.")
        }
        if time.now > Self.virtualDeadline {
          return giveUp("The test does not end within an hour of the scenario's time.")
        }
        silent = player.waitingCount > held && time.isIdle ? silent + Self.turn : .zero
        if silent > Self.silence, !isUnchanged {
          return giveUp("A request waits for an answer that never comes, without a time-out.")
        }
        if unchanged > deadline {
          return giveUp("The test does not end: it sent no request for \(deadline) of real time.")
        }
      }
    }

    private func giveUp(_ reason: String) { events.yield(.givenUp(.hang(reason))) }
  }
#endif
