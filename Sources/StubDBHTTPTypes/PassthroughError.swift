public import StubDBEngine

/// A stub passes a request on to the network, which a session without one cannot do.
public struct PassthroughError: Error, Sendable, CustomStringConvertible {
  /// The request, and the stub that answered it.
  public let event: ServeEvent

  /// One sentence for people: what failed, why, and what to do.
  public var description: String {
    "stub \"\(event.stubKey ?? "")\" passes \(event.request.method) \(SecretDisplay.text(event.request.url)) on to the network, "
      + "which a ScenarioSession has not; give the stub a response, or use an StubInterceptor with "
      + "allowsPassthrough: true"
  }
}
