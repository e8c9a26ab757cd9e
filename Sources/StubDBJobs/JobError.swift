internal import StubDBSupport

/// Reports that a job was not done.
package struct JobError: Error, Sendable, CustomStringConvertible {
  /// What kept the job from being done.
  package struct Code: Hashable, Sendable {
    private let rawValue: String

    /// Something that the job needs is not there.
    package static let notFound = Code(rawValue: "notFound")
    /// Something is there already, or of another origin than the job expects.
    package static let refused = Code(rawValue: "refused")
    /// Conflicts of a merge have to be settled first.
    package static let conflict = Code(rawValue: "conflict")
    /// Another process changed what the job was working on.
    package static let changed = Code(rawValue: "changed")
    /// What was read is damaged, or contradicts something else.
    package static let unusable = Code(rawValue: "unusable")
    /// Secrets would have been published.
    package static let secret = Code(rawValue: "secret")
    /// The system refused to read or write.
    package static let inputOutput = Code(rawValue: "inputOutput")
    /// Another program cannot be started, or failed.
    package static let program = Code(rawValue: "program")
    /// The arguments of the job contradict each other or the rules.
    package static let invalidArgument = Code(rawValue: "invalidArgument")
  }

  package let code: Code
  /// One sentence that says what failed, on what, and why.
  package let message: JobText
  /// What to do next, each on a line.
  package let hints: [JobText]

  package init(_ code: Code, _ message: JobText, hints: [JobText] = []) {
    (self.code, self.message, self.hints) = (code, message, hints)
  }

  package var description: String {
    ([message] + hints).map(\.description).joined(separator: "\n")
  }
}

/// A problem with the value of an argument or with a file, as the end of a sentence.
///
/// The argument parser or the document decoder writes the beginning.
package struct ArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

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

  /// Not task-local: with optimization, Swift 6.3 binds a closure to a task-local value with SIGSEGV.
  private static let receiver = Locked<@Sendable (JobProgress) -> Void>({ _ in })

  /// Calls a closure with the progress of the jobs of this process; without it, jobs are silent.
  package static func onProgress(_ receiver: @escaping @Sendable (JobProgress) -> Void) {
    Self.receiver.withLock { $0 = receiver }
  }

  /// Runs a closure that reports how much of its work is done, of how much.
  package static func during<Value>(
    _ work: Work, _ body: (@escaping (_ done: Int, _ count: Int) -> Void) throws -> Value
  ) rethrows -> Value {
    let receiver = receiver.withLock(\.self)
    defer { receiver(JobProgress(work: work, done: 0, count: nil)) }
    return try body { receiver(JobProgress(work: work, done: $0, count: $1)) }
  }
}
