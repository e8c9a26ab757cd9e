import Foundation
import HTTPTypes
package import StubDBDrift
package import StubDBEngine
import StubDBJSON
package import StubDBModel

/// The compatible changes of one response of a stub.
package struct AnswerEvolutions: Sendable {
  package let evolutions: [Evolution]
  /// Why nothing is changed, as the end of a sentence; nil if something is.
  package let leftAlone: String?
  /// What the limits have left out.
  package let cuts: [EvolutionCut]

  /// Longer content is not looked at.
  private static let longestContent = 1 << 22

  /// Finds the changes of a response that answers a request; the samples say what shape such answers have, unless it is
  /// given.
  package init(
    of response: StubResponse, to request: StubRequest, in scenario: LoadedScenario,
    _ samples: AnswerSamples, limits: EvolutionLimits = .tried, shape: Shape? = nil
  ) {
    if let reason = Self.reason(toLeave: response, request) {
      self.init(leftAlone: reason)
      return
    }
    guard let body = response.body, let content = try? scenario.body(of: body) else {
      self.init(leftAlone: "its content cannot be read")
      return
    }
    guard content.count <= Self.longestContent else {
      self.init(leftAlone: "its content is longer than 4 MB")
      return
    }
    let type = response.headers[.contentType]
    guard type.map({ MediaType($0)?.isJSON ?? false }) ?? (body.kind != .base64),
      let json = LocatedJSON(content)
    else {
      self.init(leftAlone: "its content is not JSON")
      return
    }
    let finder = EvolutionFinder(
      json, shape: shape ?? samples.shape(of: request, status: response.status, in: scenario),
      described: samples.description(of: request, status: response.status), limits: limits)
    self.init(
      finder.evolutions + [Self.parameter(of: type ?? "application/json")], cuts: finder.cuts)
  }

  private init(
    _ evolutions: [Evolution] = [], leftAlone: String? = nil, cuts: [EvolutionCut] = []
  ) {
    (self.evolutions, self.leftAlone, self.cuts) = (evolutions, leftAlone, cuts)
  }

  /// The same with some of the changes.
  func filtered(_ isKept: (Evolution) -> Bool) -> AnswerEvolutions {
    AnswerEvolutions(evolutions.filter(isKept), leftAlone: leftAlone, cuts: cuts)
  }

  /// Why an answer is not changed, whatever its content; nil if it is.
  private static func reason(toLeave response: StubResponse, _ request: StubRequest) -> String? {
    if response.error != nil || response.fault != nil { return "it answers with an error" }
    if response.delegation != nil { return "another stub or the network answers" }
    if response.webSocket != nil { return "it opens a WebSocket" }
    if response.isTemplate { return "its content is a template" }
    if response.chunks != nil { return "it answers in chunks" }
    if response.headers[.contentEncoding] != nil { return "its content is compressed" }
    if response.body == nil || request.method == "HEAD" { return "it answers without content" }
    return nil
  }

  private static func parameter(of type: String) -> Evolution {
    Evolution(
      .parameter, at: .init(["headers", "Content-Type"]),
      .contentType(type + (type.contains(";") ? "; version=2" : "; charset=utf-8")),
      because: "parameters do not change the media type (RFC 9110 section 8.3.1)")
  }
}
