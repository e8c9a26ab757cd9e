#if Server
import HTTPTypes
import NIOHTTP1
import NIOPosix

/// The names of header fields that were seen, because checking a name costs more than finding it.
///
/// It belongs to one thread.
final class FieldNames {
  /// More names than clients send, unless one invents them.
  private static let largestCount = 1_000
  // Safe to share: each thread has its own value.
  nonisolated(unsafe) private static let ofThread = ThreadSpecificVariable<FieldNames>()

  /// The names of the current thread.
  static var current: FieldNames {
    if let known = ofThread.currentValue { return known }
    let made = FieldNames()
    ofThread.currentValue = made
    return made
  }

  private var names: [String: HTTPField.Name] = [:]

  /// The fields of a request; those with names that HTTP does not allow are dropped.
  func fields(_ headers: HTTPHeaders) -> HTTPFields {
    var fields = HTTPFields()
    fields.reserveCapacity(headers.count)
    for (name, value) in headers {
      if let name = self.name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
  }

  private func name(_ text: String) -> HTTPField.Name? {
    if let known = names[text] { return known }
    guard let name = HTTPField.Name(text) else { return nil }
    if names.count >= Self.largestCount { names.removeAll(keepingCapacity: true) }
    names[text] = name
    return name
  }
}
#endif
