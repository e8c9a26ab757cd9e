internal import Foundation
internal import StubDBSupport

/// Makes inputs of several files at once: most of an import of many files is parsing them.
enum ParallelInputs {
  typealias Made = Result<ImportInput, ImportError>

  /// What `make` gives for each index, in their order.
  ///
  /// `make` is called on several threads, each with a large stack.
  static func make(_ count: Int, log: ImportLog, _ make: (Int) -> Made) -> [Made] {
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 8, count / 8)
    guard workers > 1 else { return (0..<count).map(make) }
    return withoutActuallyEscaping(make) { make in
      let work = Work(count: count, log: log, make: make)
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        LargeStack.run { work.run(from: worker, by: workers) }
      }
      return work.finished()
    }
  }

  /// What the threads share.
  ///
  /// Unchecked because each thread writes elements of its own, nobody reads one before all threads have ended, and the
  /// log is used by one of them only, while the thread that it belongs to waits.
  private final class Work: @unchecked Sendable {
    private let count: Int
    private let log: ImportLog
    private var make: ((Int) -> Made)?
    private let results: UnsafeMutablePointer<Made?>

    init(count: Int, log: ImportLog, make: @escaping (Int) -> Made) {
      self.count = count
      self.log = log
      self.make = make
      results = .allocate(capacity: count)
      results.initialize(repeating: nil, count: count)
    }

    deinit {
      results.deinitialize(count: count)
      results.deallocate()
    }

    func run(from first: Int, by step: Int) {
      for index in stride(from: first, to: count, by: step) {
        if first == 0 { log.progress("\(index) of \(count) files read") }
        results[index] = make?(index)
      }
    }

    /// The results; releases the closure, which must not outlive the call that it was passed to.
    func finished() -> [Made] {
      make = nil
      return (0..<count).compactMap { results[$0] }
    }
  }
}
