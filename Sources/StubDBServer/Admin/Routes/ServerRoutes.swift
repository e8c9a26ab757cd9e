#if Server
import StubDBJSON

extension AdminAPI {
  static let serverRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb/health", .open) { _, _ in
      .json(.object([("status", .string("up"))]))
    },
    AdminRoute("GET", "__stubdb/version") { api, _ in
      .json(.object([("version", .string(api.version))]))
    },
    AdminRoute("POST", "__stubdb/shutdown") { api, request in
      guard request.isFromLoopback, let shutdown = api.shutdown else {
        throw AdminProblem(
          403, "not-allowed", "Forbidden", "Only a client on its own machine may end the server.")
      }
      shutdown()
      return .json(.object([("status", .string("ending"))]), status: 202)
    },
  ]
}
#endif
