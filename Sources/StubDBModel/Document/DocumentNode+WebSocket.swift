internal import HTTPTypes
internal import StubDBJSON

extension DocumentNode {
  /// Reads the script of a WebSocket.
  func webSocket() throws(DocumentError) -> WebSocketScript {
    let object = try object(.webSocket)
    var script = WebSocketScript()
    script.subprotocol = try object["protocol"]?.subprotocol()
    for node in try object["frames"]?.list("a list of frames") ?? [] {
      script.frames.append(try node.frame())
    }
    if let index = object["repeatFrom"] {
      script.repeatFrom = try index.integer("\"repeatFrom\"", in: 0...Int.max)
    }
    if let otherwise = object["otherwise"] {
      script.otherwise = try otherwise.choice("a value of \"otherwise\"")
    }
    if !context.isTrusted { try context.rules?.check(script, of: object) }
    return script
  }

  private func subprotocol() throws(DocumentError) -> String {
    let text = try string()
    // A subprotocol and the name of a header field are the same kind of word.
    guard context.isTrusted || HTTPField.Name(text) != nil, !text.hasPrefix(":") else {
      throw failure(
        .invalidValue,
        "\"\(text)\" is not the name of a subprotocol (RFC 6455): it may hold letters, digits, and"
          + " !#$%&'*+-.^_`|~")
    }
    return text
  }

  private func frame() throws(DocumentError) -> WebSocketScript.Frame {
    let object = try object(.frame)
    let given = DocumentObjectKind.frameKinds.filter(object.has)
    guard given.count == 1 else {
      let words = (given.isEmpty ? DocumentObjectKind.frameKinds : given)
        .map { "\"\($0)\"" }.joined(separator: ", ")
      throw failure(
        given.isEmpty ? .missingKey : .conflict,
        given.isEmpty
          ? "a frame needs one of \(words)" : "\(words) are given together; a frame does one thing")
    }
    try object.checkOptions(of: given[0])
    let after = try object["after"]?.duration() ?? .zero
    if let node = object["send"] {
      return .send(try node.message(), after: after)
    }
    if let node = object["expect"] {
      let patterns = try node.bodyPatterns()
      if patterns.isEmpty {
        throw node.failure(
          .invalidValue, "the list is empty; write {\"anything\": true} to expect any message")
      }
      let limit = try object["within"]?.duration()
      return WebSocketScript.Frame(kind: .expect(patterns, within: limit))
    }
    if let node = object["close"] {
      return .close(
        try node.closeCode(), reason: try object["reason"]?.closeReason() ?? "", after: after)
    }
    let node = try object.required("fault")
    let word = try node.word(
      "a fault of a frame", of: WebSocketScript.Frame.faults.map(\.rawValue))
    return word == ResponseFault.never.rawValue ? .silence(after: after) : .reset(after: after)
  }

  private func message() throws(DocumentError) -> ResponseBody {
    guard let body = try object(.message).content([.json, .text, .base64]) else {
      throw failure(.missingKey, "a message needs one of \"json\", \"text\" and \"base64\"")
    }
    return body
  }

  private func closeCode() throws(DocumentError) -> Int {
    let code = try integer("the code")
    guard CloseCode.isSendable(code) else {
      throw failure(
        .invalidValue,
        "\(code) is not a code that a frame may have (RFC 6455); it is from 1000 to 1003, 1007 to"
          + " 1014 or 3000 to 4999")
    }
    return code
  }

  private func closeReason() throws(DocumentError) -> String {
    let text = try string()
    guard text.utf8.count <= CloseCode.longestReason else {
      throw failure(
        .invalidValue,
        "the reason has \(text.utf8.count) bytes; a frame has room for \(CloseCode.longestReason)")
    }
    return text
  }
}

extension DocumentObject {
  /// Throws for options that belong to another kind of frame.
  fileprivate func checkOptions(of kind: String) throws(DocumentError) {
    for (option, owners) in DocumentObjectKind.frameOptions
    where has(option) && !owners.contains(kind) {
      let names = owners.map { "\"\($0)\"" }.joined(separator: ", ")
      throw (self[option] ?? node).failure(
        .conflict, "\"\(option)\" goes with \(names), not with \"\(kind)\"")
    }
  }
}
