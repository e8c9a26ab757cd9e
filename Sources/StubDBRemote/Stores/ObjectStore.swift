package import Foundation
internal import StubDBFiles

/// A store that is reached with requests for its objects, in the dialect of its service.
package struct ObjectStore: RemoteStore {
  private let url: RemoteURL
  private let dialect: any StoreDialect
  private let client: RetryingClient

  init(url: RemoteURL, dialect: any StoreDialect, client: RetryingClient) {
    (self.url, self.dialect, self.client) = (url, dialect, client)
  }

  package func impossibleVersion() -> StoreVersion { dialect.impossibleVersion }

  package func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent? {
    let answer = try send(.read, key, limit: limit)
    switch dialect.meaning(of: answer) {
    case .done:
      return StoredContent(data: answer.content, version: dialect.version(of: answer))
    case .isMissing: return nil
    default: throw failure("read", key, answer)
    }
  }

  package func download(
    _ key: String, to file: URL, limit: Int, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    // What is too long already cannot be the beginning of the content.
    if Self.size(of: file) > limit { truncate(file.path, 0) }
    let start = Self.size(of: file)
    let answer = try send(
      .read, key, limit: 1 << 16, output: (file, limit), progress: progress)
    switch dialect.meaning(of: answer) {
    case .done where Self.size(of: file) > limit:
      unlink(file.path)
      throw .tooLong("\(key) at \(url)", limit: limit)
    case .done: return true
    case .isMissing: return false
    // The file has all of it, or something else; its digest decides.
    case _ where answer.status == 416 && start > 0: return true
    default:
      // What a page of a proxy left there is no part of the object.
      truncate(file.path, off_t(min(start, Self.size(of: file))))
      throw failure("read", key, answer)
    }
  }

  package func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    for _ in 0..<5 {
      let answer = try send(.write(source, condition), key, limit: 1 << 16)
      switch (dialect.meaning(of: answer), condition) {
      case (.done, _): return .written
      // What is to be replaced is not there.
      case (.isRefused, _), (.isMissing, .isVersion): return .refused
      // Another write of the key is under way, and may still fail.
      case (.isContended, _): client.wait(client.random(0.5))
      default: throw failure("write", key, answer)
      }
    }
    return .contended
  }

  package func size(of key: String) throws(RemoteError) -> StoredSize {
    let answer = try send(.size, key, limit: 1 << 16)
    switch dialect.meaning(of: answer) {
    case .done: return dialect.size(in: answer).map(StoredSize.bytes) ?? .unknown
    case .isMissing: return .missing
    // The server has no HEAD.
    case _ where answer.status == 405 || answer.status == 501: return .unknown
    default: throw failure("look for", key, answer)
    }
  }

  package func keys(prefix: String) throws(RemoteError) -> [String] {
    var keys: [String] = []
    var token: String?
    repeat {
      let answer = try send(.list(after: token), prefix, limit: 4 << 20)
      guard case .done = dialect.meaning(of: answer) else { throw failure("list", prefix, answer) }
      guard let page = dialect.page(answer.content) else {
        throw RemoteError(.unsupported, "what \(url) answered is no list of objects")
      }
      keys += page.keys.filter { $0.hasPrefix(url.prefix) }
        .map { String($0.dropFirst(url.prefix.count)) }
      token = page.next
    } while token != nil
    return keys.sorted()
  }
}

extension ObjectStore {
  /// The answer to a request, which is signed once more if the store refuses the time of this machine.
  private func send(
    _ action: StoreCall.Action, _ key: String, limit: Int, output: (file: URL, limit: Int)? = nil,
    progress: (Int) -> Void = { _ in }
  ) throws(RemoteError) -> TransferAnswer {
    let answer = try sendOnce(action, key, limit: limit, output: output, progress: progress)
    guard dialect.signingClock?.correct(by: answer) == true else { return answer }
    return try sendOnce(action, key, limit: limit, output: output, progress: progress)
  }

  private func sendOnce(
    _ action: StoreCall.Action, _ key: String, limit: Int, output: (file: URL, limit: Int)?,
    progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    try client.answer(at: dialect.place, progress: progress) {
      () throws(RemoteError) in
      var call = StoreCall(action: action, key: url.prefix + key)
      call.start = output.map { Self.size(of: $0.file) } ?? 0
      var request = try dialect.request(for: call)
      request.limit = limit
      request.outputFile = output?.file.path
      request.outputLimit = output?.limit
      return request
    }
  }

  private static func size(of file: URL) -> Int {
    PathStatus(file.path, followingLinks: false)?.byteCount ?? 0
  }

  private func failure(_ verb: String, _ key: String, _ answer: TransferAnswer) -> RemoteError {
    let status = answer.status ?? 0
    let code: RemoteError.Code =
      switch status {
      case 401, 403, 407: .denied
      case 404: .missing
      default: .unsupported
      }
    var reason = "the store answered with the status \(status)"
    if let name = dialect.errorCode(in: answer) { reason += " (\(name))" }
    if case .isUnusable(let why) = dialect.meaning(of: answer) { reason = why }
    var hints = dialect.hints(for: answer)
    if code == .denied, let hint = dialect.signingClock?.hint { hints.append(hint) }
    if code == .missing, [.s3, .gs, .az].contains(url.scheme) {
      hints.append("Its bucket or container may be missing; stubdb makes none.")
    }
    if let place = answer.redirectionTarget {
      hints.append("It redirects to \(place); requests are sent only where the URL says.")
    }
    let what = key.isEmpty ? "the catalogs" : key
    return RemoteError(code, "cannot \(verb) \(what) at \(url): \(reason)", hints: hints)
  }
}

extension TransferAnswer {
  /// Where a redirect leads, without a query, which may hold credentials.
  fileprivate var redirectionTarget: String? {
    guard let status, (300..<400).contains(status), let location = fields["location"] else {
      return nil
    }
    let text = location.prefix { $0 != "?" && $0 != "#" }
    return text.contains("@") || text.contains(where: \.isNewline) ? nil : String(text.prefix(300))
  }
}
