internal import Foundation
internal import StubDBSupport

/// Makes several values at once, for work that takes seconds: parsing many files, merging many scenarios.
package enum ParallelWork {
  /// What `make` gives for each index, in their order.
  ///
  /// `make` is called on several threads, each with a large stack; `progress` on this one, with the number of values
  /// that are made. A thread is not started for fewer values than `perThread`.
  package static func values<Value: Sendable>(
    _ count: Int, perThread: Int = 8, progress: (Int) -> Void,
    _ make: @escaping @Sendable (Int) -> Value
  ) -> [Value?] {
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 8, count / perThread)
    guard workers > 1 else {
      return (0..<count).map { index in
        progress(index)
        return make(index)
      }
    }
    let values = Locked([Value?](repeating: nil, count: count))
    let made = DispatchSemaphore(value: 0)
    for worker in 0..<workers {
      LargeStack.start {
        for index in stride(from: worker, to: count, by: workers) {
          let value = make(index)
          values.withLock { $0[index] = value }
          made.signal()
        }
      }
    }
    for index in 0..<count {
      made.wait()
      progress(index + 1)
    }
    // The values must have no other reference: changing them would copy them.
    return values.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
