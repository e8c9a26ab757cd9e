package import StubDBModel

extension DocumentObject {
  /// Throws for keys that would have no effect.
  func checkTogether(_ response: WrittenResponse) throws(DocumentError) {
    if response.error != nil, let fault = self["fault"] {
      throw fault.failure(.conflict, "\"error\" and \"fault\" are given together; choose one")
    }
    let ending = response.error != nil ? "error" : response.fault != nil ? "fault" : nil
    if response.afterBytes != nil, ending == nil {
      throw (self["afterBytes"] ?? node).failure(
        .conflict, "\"afterBytes\" needs \"error\" or \"fault\": what comes after the bytes")
    }
    if case .pieces = response.chunks?.kind, response.body != nil {
      let list = self["events"] ?? self["chunks"] ?? node
      throw list.failure(
        .conflict,
        "a list of \(has("events") ? "events" : "chunks") is the content; leave the other content out"
      )
    }
    if case .split = response.chunks?.kind, response.body == nil {
      throw (self["chunks"] ?? node).failure(
        .conflict, "there is no content to divide; give \"json\", \"text\", \"base64\" or \"file\"")
    }
    if let template = response.statusTemplate, !response.isTemplate || !template.contains("{{") {
      throw (self["status"] ?? node).failure(
        .wrongType,
        "expected a number, found a string; only a response with \"template\": true may have a"
          + " status such as \"{{request.query.status}}\"")
    }
    try checkStatus(of: response)
    if let delegation = response.delegation { try checkDelegation(delegation) }
    guard let ending, response.afterBytes == nil, response.fault != .truncated else {
      if response.webSocket != nil, response.delegation == nil { try checkWebSocket() }
      return
    }
    for part in ResponsePart.sent where has(part.rawValue) {
      throw (self[part.rawValue] ?? node).failure(
        .conflict,
        "\"\(part.rawValue)\" is never sent, because \"\(ending)\" comes first;"
          + " give \"afterBytes\" to send it before, or leave it out")
    }
  }

  /// A WebSocket has a rule of its own for a status.
  private func checkStatus(of response: WrittenResponse) throws(DocumentError) {
    guard response.webSocket == nil, let status = self["status"],
      !StubResponse.finalStatuses.contains(response.status)
    else { return }
    throw status.failure(
      .invalidValue,
      "\(response.status) is an interim status, after which a client goes on waiting; give one from "
        + "200 to 999, or \"webSocket\" for a connection that becomes one")
  }

  /// Throws for keys that have no effect on a WebSocket.
  private func checkWebSocket() throws(DocumentError) {
    for part in ResponsePart.all where has(part.rawValue) && !part.isUsedWithWebSocket {
      throw (self[part.rawValue] ?? node).failure(
        .conflict,
        "\"\(part.rawValue)\" is never used, because the connection becomes a WebSocket; leave it"
          + " out, or give \"webSocket\" a frame for it")
    }
  }

  /// Throws for keys that a response which delegates the answer cannot have.
  private func checkDelegation(_ delegation: StubResponse.Delegation) throws(DocumentError) {
    let isPassthrough = delegation == .passthrough
    let answerer = isPassthrough ? "the real network" : "the next stub that matches"
    for part in ResponsePart.all where has(part.rawValue) && !part.isUsed(with: delegation) {
      throw (self[part.rawValue] ?? node).failure(
        .conflict,
        "\"\(part.rawValue)\" is never used, because \"\(delegation.rawValue)\" leaves the answer to \(answerer);"
          + " leave it out")
    }
  }
}

extension ResponsePart {
  /// Whether the member has an effect if the connection becomes a WebSocket.
  package var isUsedWithWebSocket: Bool {
    switch self {
    case .headers, .delay, .webSocket, .repeat, .template, .passthrough, .next: true
    case .status, .json, .text, .base64, .file, .chunks, .events, .throttle, .error, .fault,
      .afterBytes, .callbacks:
      false
    }
  }

  /// Whether the member has an effect if another stub or the network answers in place of the response.
  package func isUsed(with delegation: StubResponse.Delegation) -> Bool {
    switch self {
    case .delay, .repeat, .passthrough, .next: true
    // The real network cannot be slowed down.
    case .throttle: delegation != .passthrough
    case .status, .headers, .json, .text, .base64, .file, .chunks, .events, .webSocket, .error,
      .fault, .afterBytes, .template, .callbacks:
      false
    }
  }

  /// Whether the member has an effect if a resource answers in place of the response.
  package var isUsedWithResource: Bool {
    switch self {
    case .headers, .delay, .throttle, .repeat, .callbacks: true
    case .status, .json, .text, .base64, .file, .chunks, .events, .webSocket, .error, .fault,
      .afterBytes, .template, .passthrough, .next:
      false
    }
  }
}
