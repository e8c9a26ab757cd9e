#if Server
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback

extension AdminAPI {
  static let coverageRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb/sessions/{id}/coverage") { api, request in
      let session = try api.session(request)
      let served = session.served
      let uses = served.player.run.stubUses
      return .json(
        .object([
          ("scenario", .string(session.settings.scenario)),
          ("used", .integer(uses.count { $0.answerCount > 0 })),
          (
            "stubs",
            .array(zip(uses, served.shadowing).map { json($0.source, $0.answerCount, $1) })
          ),
        ]))
    }
  ]

  private static func json(
    _ source: LoadedScenario.Source, _ answerCount: Int, _ shadowing: Stub.Key?
  ) -> OrderedJSON {
    .object([
      ("scenario", .string(source.origin.rawValue)), ("key", .string(source.stub.key.rawValue)),
      ("request", .string(source.stub.request.requestLine)),
      ("responses", .integer(source.stub.responses.count)), ("answers", .integer(answerCount)),
      ("shadowedBy", .string(shadowing?.rawValue)),
    ])
  }
}
#endif
