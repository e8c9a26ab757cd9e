import HTTPTypes
import StubDBModel
import StubDBSupport

/// The heads of the answers that one interceptor gave, so that the same answer to the same URL is made once.
///
/// Half of what an answer costs is Foundation's work on its header fields (1.7 µs for one field).
final class AnswerHeads: Sendable {
  private struct Entry {
    let status: Int
    let headers: HTTPFields
    let head: AnswerHead

    func isFor(_ status: Int, _ headers: HTTPFields) -> Bool {
      // Not ==, which takes names for equal that differ in case.
      self.status == status
        && self.headers.elementsEqual(headers) {
          $0.name.rawName == $1.name.rawName && $0.value == $1.value
        }
    }
  }

  /// What asks for more URLs than this hardly asks for one again.
  private static let largestCount = 256

  private let entries = Locked([String: Entry]())

  /// The head of a response to this URL; made unless the last one was the same, and nil where it cannot be made.
  func head(
    forURL url: String, status: Int, headers: HTTPFields, make: () -> AnswerHead?
  ) -> AnswerHead? {
    if let known = entries.withLock({ $0[url] }), known.isFor(status, headers) {
      return known.head
    }
    guard let head = make() else { return nil }
    entries.withLock { entries in
      if entries.count >= Self.largestCount { entries = [:] }
      entries[url] = Entry(status: status, headers: headers, head: head)
    }
    return head
  }
}
