#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBPlayback

extension AdminAPI {
  static let serverRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb/health", .open) { _, _ in
      .json(.object([("status", .string("up"))]))
    },
    AdminRoute("GET", "__stubdb/version") { api, _ in
      .json(.object([("version", .string(api.version))]))
    },
    AdminRoute("GET", "__stubdb/ca.pem", .open) { api, _ in
      guard let authority = api.authority else {
        throw AdminProblem(
          404, "no-authority", "No certificate authority",
          "The server issues no certificates; stubdb serve --tls does.")
      }
      return .content(Data(authority.utf8), type: "application/x-x509-ca-cert")
    },
    AdminRoute("GET", "__stubdb/openapi.json") { _, _ in
      .content(Data(OpenAPIDocument.text.utf8), type: "application/json")
    },
    AdminRoute("GET", "__stubdb/metrics") { api, _ in
      let metrics = MetricsText(
        api.metrics, api.sessions, connectionCount: api.connections.count)
      return .content(Data(metrics.text.utf8), type: MetricsText.type)
    },
    AdminRoute("POST", "__stubdb/login", .open, takes: .content) { api, request in
      let token = try request.object("a login", ["token"]) { (object) throws(DocumentError) in
        try object.required("token").string()
      }
      var headers: HTTPFields = [:]
      headers[.setCookie] = try api.access.cookie(forToken: token, request)
      return .nothing(headers)
    },
    AdminRoute("POST", "__stubdb/shutdown", .usual, takes: .content) { api, request in
      guard request.isFromLoopback, let shutdown = api.shutdown else {
        throw AdminProblem(
          403, "not-allowed", "Forbidden", "Only a client on its own machine may end the server.")
      }
      _ = try request.object("a shutdown", []) { (_) throws(DocumentError) in () }
      shutdown()
      return .json(.object([("status", .string("ending"))]), status: 202)
    },
  ]
}
#endif
