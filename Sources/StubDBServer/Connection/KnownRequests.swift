#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import StubDBEngine
import StubDBPlayback

/// A request without content that was seen before, with the answer that it always gets.
final class KnownRequest {
  /// The request, byte by byte.
  fileprivate let bytes: [UInt8]
  fileprivate var hash: UInt64 = 0
  /// What played the scenario.
  let served: Int
  let isSecure: Bool
  let hasAdmin: Bool
  let answer: SteadyAnswer
  /// The head and the content of the response.
  let response: ByteBuffer
  /// How many of them are content.
  let byteCount: Int
  let status: Int
  /// Where the metrics count it.
  let place: Int
  let method: String
  let target: String

  /// Nil if anything but these bytes decides what the client gets.
  init?(_ bytes: ByteBuffer, _ observation: RequestObservation, _ responder: Responder) {
    guard let head = observation.head, let event = observation.event,
      let served = observation.served,
      let (status, response, byteCount) = observation.response,
      observation.session === responder.scope.session, responder.scope.tunnel == nil,
      responder.server.recording == nil, responder.server.options.loggedContentSize == 0,
      response.readableBytes <= KnownRequests.largestResponse, head.isPlain,
      head.uri.utf8.first == UInt8(ascii: "/"),
      !SessionAddress.isPossible(in: head, below: responder.server.options.publicURL?.host),
      let answer = served.player.steadyAnswer(like: event, status: status)
    else { return nil }
    self.bytes = Array(bytes.readableBytesView)
    self.served = served.number
    (isSecure, hasAdmin) = (responder.isSecure, responder.scope.hasAdmin)
    (self.answer, self.status, self.byteCount) = (answer, status, byteCount)
    (self.response, method, target) = (response, head.method.rawValue, head.uri)
    place = responder.server.metrics.place(of: answer, status: status)
  }

  fileprivate var size: Int { bytes.count + response.readableBytes }

  /// Whether the bytes begin with the request.
  fileprivate func isBeginning(of other: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { $0.isBeginning(of: other) }
  }
}

/// What is found out about a request while it is answered in the usual way.
final class RequestObservation {
  /// The head as it came.
  var head: HTTPRequestHead?
  private(set) var event: ServeEvent?
  private(set) var session: Session?
  private(set) var served: ServedScenario?
  private(set) var response: (status: Int, bytes: ByteBuffer, byteCount: Int)?

  /// The scenario has decided.
  func learn(_ event: ServeEvent?, _ session: Session?, _ served: ServedScenario?) {
    (self.event, self.session, self.served) = (event, session, served)
  }

  /// The client gets these bytes, of which so many are content.
  func learn(_ status: Int, _ bytes: ByteBuffer, byteCount: Int) {
    response = (status, bytes, byteCount)
  }
}

/// The requests that an event loop knows.
///
/// It belongs to one thread, and takes a bounded amount of memory. A request becomes known when it comes a second time
/// before another one takes its place, so that requests which are all different cost little.
final class KnownRequests {
  /// A response of this size takes longer to send than to make.
  static let largestResponse = 64 << 10
  /// The bytes of all requests and responses.
  private static let largestSize = 4 << 20
  /// How often what could not be kept is let through before it is looked into again.
  fileprivate static let restCount = 1_000
  /// The largest fields that are kept, and how many: a power of two.
  private static let largestFields = 4 << 10
  private static let fieldsCount = 64
  /// A power of two.
  private static let slotCount = 2_048
  // Safe to share: each thread has a value of its own.
  nonisolated(unsafe) private static let ofThread = ThreadSpecificVariable<KnownRequests>()

  /// The requests that the current thread knows.
  static var current: KnownRequests {
    if let known = ofThread.currentValue { return known }
    let made = KnownRequests()
    ofThread.currentValue = made
    return made
  }

  private struct Slot<Known> {
    /// The hash of the last bytes that were not the known ones.
    private var lastSeen: UInt64 = 0
    /// How often they are let through before they are looked into again, since nothing is to be gained.
    private var rest = 0
    var known: Known?

    /// Whether bytes that are not known have come before, and something may be gained.
    mutating func isWorthwhile(_ hash: UInt64) -> Bool {
      guard lastSeen == hash else {
        (lastSeen, rest) = (hash, 0)
        return false
      }
      rest -= 1
      return rest < 0
    }

    mutating func giveUp() { rest = KnownRequests.restCount }
  }

  /// What is known of the request that some bytes begin with.
  struct HeadLookup {
    /// Nil if it is not known.
    var known: KnownRequest?
    /// The length of its head with the blank line; 0 if the end is not there.
    var byteCount = 0
    /// The length of the first line with its end.
    fileprivate var lineByteCount = 0
    fileprivate var hash: UInt64 = 0
    fileprivate var fieldsHash: UInt64 = 0
  }

  /// Empty until the first request comes a second time.
  private var slots: [Slot<KnownRequest>] = []
  private var last: KnownRequest?
  private var fields = Array(repeating: Slot<KnownFields>(), count: fieldsCount)
  private var size = 0

  /// Looks for the request that the bytes begin with.
  func look(at bytes: UnsafeRawBufferPointer) -> HeadLookup {
    if let last, last.isBeginning(of: bytes) {
      return HeadLookup(known: last, byteCount: last.bytes.count)
    }
    guard let end = Self.endOfHead(in: bytes) else { return HeadLookup() }
    let line = Self.endOfLine(in: bytes)
    let fieldsHash = Self.hash(UnsafeRawBufferPointer(rebasing: bytes[line..<end]), 0)
    let hash = Self.hash(UnsafeRawBufferPointer(rebasing: bytes[..<line]), fieldsHash)
    var lookup = HeadLookup(
      byteCount: end, lineByteCount: line, hash: hash, fieldsHash: fieldsHash)
    guard !slots.isEmpty, let known = slots[Self.place(of: hash)].known,
      known.bytes.count == end, known.isBeginning(of: bytes)
    else { return lookup }
    last = known
    lookup.known = known
    return lookup
  }

  // MARK: Fields

  /// The head that the bytes begin with, if its fields are known, and these.
  func head(_ lookup: HeadLookup, _ bytes: UnsafeRawBufferPointer) -> (HTTPRequestHead, HTTPFields)?
  {
    guard lookup.byteCount > 0,
      let known = fields[Self.fieldsPlace(of: lookup.fieldsHash)].known,
      known.isEqual(
        to: UnsafeRawBufferPointer(rebasing: bytes[lookup.lineByteCount..<lookup.byteCount])),
      let head = known.head(UnsafeRawBufferPointer(rebasing: bytes[..<lookup.lineByteCount]))
    else { return nil }
    return (head, known.fields)
  }

  /// Whether the fields of a request are not known, and have come before.
  func areFieldsWorthwhile(_ lookup: HeadLookup) -> Bool {
    guard lookup.byteCount > 0 else { return false }
    let place = Self.fieldsPlace(of: lookup.fieldsHash)
    return fields[place].isWorthwhile(lookup.fieldsHash)
  }

  /// Keeps the fields of a request that was accepted; nil for one that is not to be known.
  func keepFields(_ head: HTTPRequestHead?, _ lookup: HeadLookup, _ bytes: UnsafeRawBufferPointer) {
    let line = UnsafeRawBufferPointer(rebasing: bytes[..<lookup.lineByteCount])
    let part = UnsafeRawBufferPointer(rebasing: bytes[lookup.lineByteCount..<lookup.byteCount])
    let place = Self.fieldsPlace(of: lookup.fieldsHash)
    if part.count <= Self.largestFields, let head,
      let known = KnownFields(part, below: line, head)
    {
      fields[place].known = known
    } else {
      fields[place].giveUp()
    }
  }

  private static func fieldsPlace(of hash: UInt64) -> Int { Int(hash >> 32) & (fieldsCount - 1) }

  // MARK: Requests

  /// Whether a request that is not known has come before, and may have an answer that is always the same.
  func isWorthwhile(_ lookup: HeadLookup) -> Bool {
    guard lookup.hash != 0 else { return false }
    if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
    let place = Self.place(of: lookup.hash)
    return slots[place].isWorthwhile(lookup.hash)
  }

  /// Keeps a request from now on; nil if its answer is not always the same.
  func keep(_ known: KnownRequest?, _ lookup: HeadLookup) {
    let place = Self.place(of: lookup.hash)
    guard let known else {
      slots[place].giveUp()
      return
    }
    size += known.size - (slots[place].known?.size ?? 0)
    if size > Self.largestSize {
      slots = Array(repeating: Slot(), count: Self.slotCount)
      size = known.size
    }
    known.hash = lookup.hash
    slots[place].known = known
    last = known
  }

  /// Forgets a request whose answer has changed.
  func forget(_ known: KnownRequest) {
    last = nil
    let place = Self.place(of: known.hash)
    guard slots[place].known === known else { return }
    size -= known.size
    slots[place].known = nil
  }

  private static func place(of hash: UInt64) -> Int { Int(hash >> 32) & (slotCount - 1) }

  /// The place behind the first blank line; nil if there is none.
  private static func endOfHead(in bytes: UnsafeRawBufferPointer) -> Int? {
    var place = 3
    while place < bytes.count {
      switch bytes[place] {
      case 0x0A:
        if bytes[place - 1] == 0x0D, bytes[place - 2] == 0x0A, bytes[place - 3] == 0x0D {
          return place + 1
        }
        place += 2
      case 0x0D: place += 1
      default: place += 4
      }
    }
    return nil
  }

  /// The place behind the first line.
  private static func endOfLine(in bytes: UnsafeRawBufferPointer) -> Int {
    (bytes.firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    func mix(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    var place = 0
    while place + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    while place < bytes.count {
      mix(UInt64(bytes[place]))
      place += 1
    }
    return hash
  }
}
#endif
