internal import HTTPTypes
internal import StubDBJSON
internal import StubDBSupport

extension StubResponse: TextComparable {
  package func hasSameText(as other: StubResponse) -> Bool {
    self == other && ResponsePart.all.allSatisfy { $0.hasSameText(self, other) }
  }
}

extension ResponsePart {
  /// Whether two responses that are equal have the same text in this member.
  fileprivate func hasSameText(_ one: StubResponse, _ other: StubResponse) -> Bool {
    switch self {
    case .status: one.statusTemplate.hasSameText(as: other.statusTemplate)
    case .headers: one.headers.hasSameText(as: other.headers)
    case .webSocket:
      !one.isWebSocket || one.webSocket.hasSameText(as: other.webSocket)
    case .error: one.error.hasSameText(as: other.error)
    case .callbacks: one.callbacks.hasSameText(as: other.callbacks)
    // Compared as bytes, or without any text.
    case .json, .text, .base64, .file, .delay, .chunks, .events, .throttle, .fault, .afterBytes,
      .repeat, .template, .passthrough, .next:
      true
    }
  }
}

extension ResponseError: TextComparable {
  package func hasSameText(as other: ResponseError) -> Bool {
    code == other.code && domain.hasSameText(as: other.domain)
      && JSONValue.object(userInfo).hasSameText(as: .object(other.userInfo))
  }
}

extension ResponseCallback: TextComparable {
  package func hasSameText(as other: ResponseCallback) -> Bool {
    self == other && method.hasSameText(as: other.method) && url.hasSameText(as: other.url)
      && headers.hasSameText(as: other.headers)
  }
}

extension WebSocketScript: TextComparable {
  package func hasSameText(as other: WebSocketScript) -> Bool {
    self == other
      && OrderedJSON.webSocket(self).jsonValue
        .hasSameText(as: OrderedJSON.webSocket(other).jsonValue)
  }
}

extension HTTPFields {
  /// Whether a document has the same text for both: with the names as written, in the order of the names.
  fileprivate func hasSameText(as other: HTTPFields) -> Bool {
    let isInSameOrder = elementsEqual(other) {
      $0.name.rawName.hasSameText(as: $1.name.rawName) && $0.value.hasSameText(as: $1.value)
    }
    return isInSameOrder
      || OrderedJSON.headers(self).jsonValue
        .hasSameText(as: OrderedJSON.headers(other).jsonValue)
  }
}
