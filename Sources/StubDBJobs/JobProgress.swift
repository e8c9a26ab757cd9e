/// How far a long job is.
package struct JobProgress: Sendable {
  /// What is counted: scenarios, or bytes.
  package enum Work: Sendable {
    case comparing, merging, downloading, uploading
  }

  package let work: Work
  package let done: Int
  /// Of how many; nil once the work has ended or failed.
  package let count: Int?

  /// Receives the progress of the current task; does nothing unless a front end sets it.
  @TaskLocal package static var receiver: @Sendable (JobProgress) -> Void = { _ in }

  /// Runs a closure that reports how much of its work is done, of how much.
  package static func during<Value>(
    _ work: Work, _ body: (@escaping (_ done: Int, _ count: Int) -> Void) throws -> Value
  ) rethrows -> Value {
    let receiver = receiver
    defer { receiver(JobProgress(work: work, done: 0, count: nil)) }
    return try body { receiver(JobProgress(work: work, done: $0, count: $1)) }
  }
}
