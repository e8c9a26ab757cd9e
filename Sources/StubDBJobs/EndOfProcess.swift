internal import Dispatch
internal import Foundation
internal import StubDBSupport

/// Waits for the signals that ask the process to end; a second one ends it at once.
package final class EndOfProcess: Sendable {
  private let asked = DispatchSemaphore(value: 0)
  // Safe to share: the sources are only kept.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  package init() {
    sources = [SIGINT, SIGTERM].map {
      DispatchSource.makeSignalSource(signal: $0, queue: .global())
    }
    let asked = asked
    for source in sources {
      #if canImport(Darwin)
        // Only then, so that a signal before it ends the process; on Linux the source has a handler of its own.
        let number = Int32(source.handle)
        source.setRegistrationHandler { @Sendable in _ = signal(number, SIG_IGN) }
      #endif
      let count = Locked(0)
      source.setEventHandler { @Sendable in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { asked.signal() } else { exit(EXIT_FAILURE) }
      }
      source.activate()
    }
  }

  /// Asks for the end as a signal does.
  package func ask() {
    asked.signal()
  }

  package func wait() {
    asked.wait()
  }
}
