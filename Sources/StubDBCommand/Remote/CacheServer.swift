#if Server
  import Foundation
  import HTTPTypes
  import StubDBRemote
  import StubDBServer
  import StubDBSupport

  /// Serves the catalogs of a store from a cache, until the process is asked to end.
  struct CacheServer {
    let command: RootCommand.Serve
    let url: RemoteURL

    init(_ command: RootCommand.Serve, of text: String) throws {
      self.command = command
      do {
        url = try RemoteURL(parsing: text)
      } catch {
        throw CommandError(error.message, hints: error.hints)
      }
    }

    func run() throws {
      let environment = ProcessInfo.processInfo.environment
      let cache: ObjectCache
      do {
        cache = try ObjectCache(environment: environment)
        cache.tighten()
      } catch {
        throw CommandError(error.message, hints: error.hints)
      }
      // Clients wait, and try again themselves.
      let client = RetryingClient(transport: TransportPool(), tries: 2)
      let service = CacheService(
        of: url, cache: cache,
        opening: { [url] () throws(RemoteError) in
          try RemoteStores(environment: environment, client: client).store(of: url)
        },
        note: { Console.note($0) })
      try ScenarioServer(command).serve(ServedCache(service: service, token: command.token))
    }
  }

  /// A cache as what answers the requests of a server.
  private struct ServedCache: ContentService {
    let service: CacheService
    /// What clients have to send; nil for nothing.
    let token: String?

    func answer(
      _ request: ContentRequest, _ reply: @escaping @Sendable (ContentAnswer) -> Void
    ) {
      let given = request.headers[.authorization] ?? ""
      guard token.map({ AdminGuard.isEqual(given, "Bearer \($0)") }) ?? true else {
        return reply(
          ContentAnswer(
            status: 401, headers: [.wwwAuthenticate: "Bearer"],
            content: Data("This cache takes a token.\n".utf8)))
      }
      var fields: [String: String] = [:]
      for field in request.headers { fields[field.name.rawName.lowercased()] = field.value }
      let path = String(request.target.prefix { $0 != "?" })
      service.answer(CacheRequest(method: request.method, path: path, fields: fields)) { answer in
        var headers: HTTPFields = [:]
        for (name, value) in answer.fields.sorted(by: { $0.key < $1.key }) {
          if let name = HTTPField.Name(name) { headers[name] = value }
        }
        reply(ContentAnswer(status: answer.status, headers: headers, content: answer.content))
      }
    }
  }

  /// Several programs that speak to the network, each for one request at a time.
  private final class TransportPool: HTTPTransport {
    private let idle = Locked<[FetchTransport]>([])
    /// As many downloads at once suffice for a network.
    private let places = DispatchSemaphore(value: 4)

    func answer(
      to request: TransferRequest, progress: (Int) -> Void
    ) throws(RemoteError) -> TransferAnswer {
      places.wait()
      let transport = idle.withLock { $0.popLast() } ?? FetchTransport()
      defer {
        idle.withLock { $0.append(transport) }
        places.signal()
      }
      return try transport.answer(to: request, progress: progress)
    }
  }
#endif
