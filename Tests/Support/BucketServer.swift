package import Foundation
internal import StubDBSupport

/// A server of one bucket on this machine, as far as stubdb asks one.
package final class BucketServer: Sendable {
  package enum Fault: Hashable, Sendable {
    /// Writes are carried out whatever their conditions say.
    case ignoresConditions
    /// Each download ends in the middle, the first time.
    case tearsDownloads
    /// What is sent of a catalog goes on after its end, and is said to be a terabyte.
    case sendsTooMuch
    /// No credentials are good enough.
    case refusesAll
    /// Each pointer is replaced once between being read and being written by the first client.
    case isBusy
    /// The first who asks for a pointer that is there hears that there is none.
    case hidesPointers
    /// So many writes of each object are answered as if another one were under way, and are not carried out.
    case contends(Int)
    /// So many writes of each object are answered as if it were there, and are not carried out.
    case refuses(Int)
    /// The first writes of a path with this ending are answered as if they were carried out.
    case forgets(String, times: Int = 1)
    /// Of the first writes of a path with this ending, half is kept.
    case tears(String, times: Int = 1)
    /// Writes have one of the faults above, or none, as a sequence of random numbers says.
    case isRandom(seed: UInt64)
    /// Requests for the head of an object are not understood.
    case hasNoHead
  }

  private struct State {
    var contents: [String: Data] = [:]
    var torn: Set<String> = []
    var busy = 0
    var faults: [Fault]
    /// How often each path was written.
    var writes: [String: Int] = [:]
    var random = SeededRandom(seed: 1)
  }

  private let state: Locked<State>
  private let server: LoopbackServer

  package init(_ faults: Fault...) throws {
    var first = State(faults: faults)
    for case .isRandom(let seed) in faults { first.random = SeededRandom(seed: seed) }
    let state = Locked(first)
    self.state = state
    server = try LoopbackServer(bytes: { request in
      state.withLock { Self.answer(request, &$0) }
    })
  }

  /// What a client needs to find it.
  package var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": server.url(""), "AWS_ACCESS_KEY_ID": "key-of-the-test",
      "AWS_SECRET_ACCESS_KEY": "secret-of-the-test", "AWS_EC2_METADATA_DISABLED": "true",
    ]
  }

  /// The methods and paths of all requests so far.
  package var requests: [String] {
    server.requests.map { $0.line.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  package var paths: [String] { state.withLock { $0.contents.keys.sorted() } }

  /// Has a fault from now on, as if nothing had been written before.
  package func begin(_ fault: Fault) {
    state.withLock { state in
      state.faults.append(fault)
      state.writes = [:]
    }
  }

  /// Removes what is under a path.
  package func remove(_ path: String) { state.withLock { $0.contents[path] = nil } }

  /// The content of the pointer of the catalog `shop`.
  package var pointer: Data? { state.withLock { $0.contents["/stubs/team/shop.json"] } }

  /// Answers from now on as a store does that is in order.
  package func mend() { state.withLock { $0.faults = [] } }

  /// Replaces what is under paths that contain a text.
  package func damage(_ part: String) {
    state.withLock { state in
      for path in state.contents.keys where path.contains(part) {
        state.contents[path] = Data("something else".utf8)
      }
    }
  }

  /// The bytes of the answer to a request, for a client without a connection.
  package func answer(_ request: LoopbackServer.Request) -> Data {
    state.withLock { Self.answer(request, &$0) }
  }

  /// How many writes of a path the conditions allowed.
  package func writes(of path: String) -> Int { state.withLock { $0.writes[path] ?? 0 } }

  private static func answer(_ request: LoopbackServer.Request, _ state: inout State) -> Data {
    let words = request.line.split(separator: " ")
    let target = words[1].split(separator: "?")
    let path = String(target[0])
    if state.faults.contains(.refusesAll) || request.headers["authorization"] == nil {
      return response(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>")
    }
    switch words[0] {
    case "GET" where target.count > 1: return list(String(target[1]), state)
    case "GET": return get(path, request, &state)
    case "HEAD" where state.faults.contains(.hasNoHead): return response(501, "")
    case "HEAD":
      guard let data = state.contents[path] else { return response(404, "") }
      return response(200, content: Data(), announcing: data.count)
    case "PUT": return put(path, request, &state)
    default: return response(405, "")
    }
  }

  private static func tag(_ data: Data) -> String {
    "\"\(data.reduce(into: 5381) { $0 = ($0 &* 33) ^ Int($1) })\""
  }

  private static func response(
    _ status: Int, _ fields: [String] = [], content: Data, announcing length: Int? = nil
  ) -> Data {
    let lines = ["HTTP/1.1 \(status) Answer", "Content-Length: \(length ?? content.count)"]
    return Data(((lines + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
  }

  private static func response(_ status: Int, _ text: String) -> Data {
    response(status, content: Data(text.utf8))
  }

  private static func list(_ query: String, _ state: State) -> Data {
    let prefix =
      query.split(separator: "&").first { $0.hasPrefix("prefix=") }?
      .dropFirst("prefix=".count).removingPercentEncoding ?? ""
    let keys = state.contents.keys.map { $0.dropFirst("/stubs/".count) }
      .filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
    let items = keys.sorted().map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
    return response(200, "<ListBucketResult>\(items)</ListBucketResult>")
  }

  private static func get(
    _ path: String, _ request: LoopbackServer.Request, _ state: inout State
  ) -> Data {
    guard let data = state.contents[path] else {
      return response(404, "<Error><Code>NoSuchKey</Code></Error>")
    }
    if state.faults.contains(.hidesPointers), path.hasSuffix("/shop.json"),
      state.torn.insert(path).inserted
    {
      return response(404, "<Error><Code>NoSuchKey</Code></Error>")
    }
    let range = request.headers["range"]?.dropFirst("bytes=".count).dropLast()
    let start = range.flatMap { Int($0) } ?? 0
    guard start < data.count else { return response(416, "") }
    var rest = data[start...]
    let isTooLong = state.faults.contains(.sendsTooMuch) && path.hasSuffix(".stubdb")
    if isTooLong { rest += Data(count: 1 << 20) }
    let isTorn =
      state.faults.contains(.tearsDownloads) && path.hasSuffix(".stubdb")
      && state.torn.insert(path).inserted
    let fields =
      ["ETag: \(tag(data))"]
      + (range == nil ? [] : ["Content-Range: bytes \(start)-\(data.count - 1)/\(data.count)"])
    return response(
      range == nil ? 200 : 206, fields,
      content: isTorn ? rest.prefix(rest.count / 2) : rest,
      announcing: isTooLong ? 1 << 40 : rest.count)
  }

  private static func put(
    _ path: String, _ request: LoopbackServer.Request, _ state: inout State
  ) -> Data {
    let present = state.contents[path]
    if !state.faults.contains(.ignoresConditions) {
      if request.headers["if-none-match"] == "*", present != nil { return response(412, "") }
      if let version = request.headers["if-match"] {
        guard let present else { return response(404, "") }
        if tag(present) != version { return response(412, "") }
        if state.faults.contains(.isBusy), state.busy < 3 {
          state.busy += 1
          return response(412, "")
        }
      }
    }
    let number = state.writes[path, default: 0]
    state.writes[path] = number + 1
    let written = response(200, ["ETag: \(tag(request.body))"], content: Data())
    switch fault(path, number, &state) {
    case .contends: return response(409, "<Error><Code>ConditionalRequestConflict</Code></Error>")
    case .refuses: return response(412, "<Error><Code>PreconditionFailed</Code></Error>")
    case .forgets: return written
    case .tears: state.contents[path] = request.body.prefix(request.body.count / 2)
    default: state.contents[path] = request.body
    }
    return written
  }

  /// What goes wrong with a write that the conditions allow; nil for nothing.
  private static func fault(_ path: String, _ number: Int, _ state: inout State) -> Fault? {
    let isObject = path.contains("/objects/")
    for fault in state.faults {
      switch fault {
      case .contends(let times) where isObject && number < times: return fault
      case .refuses(let times) where isObject && number < times: return fault
      case .forgets(let ending, let times) where path.hasSuffix(ending) && number < times:
        return fault
      case .tears(let ending, let times) where path.hasSuffix(ending) && number < times:
        return fault
      case .isRandom:
        let faults: [Fault] =
          [.contends(1), .refuses(1), .forgets("")] + (isObject ? [.tears("")] : [])
        let index = Int(state.random.next() % UInt64(faults.count * 2))
        return index < faults.count ? faults[index] : nil
      default: continue
      }
    }
    return nil
  }
}
