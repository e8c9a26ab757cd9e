internal import HTTPTypes

extension DocumentNode {
  /// More callbacks than any service makes for one answer.
  private static let maximumCallbackCount = 20

  /// The callbacks of a response; if they do not say whether they are templates, they are if the response is one.
  func callbacks(areTemplates: Bool) throws(DocumentError) -> [ResponseCallback] {
    let nodes = try list("a list of callbacks")
    if nodes.isEmpty { throw failure(.invalidValue, "the list of callbacks is empty") }
    if nodes.count > Self.maximumCallbackCount {
      throw failure(
        .invalidValue, "a response has at most \(Self.maximumCallbackCount) callbacks")
    }
    var callbacks: [ResponseCallback] = []
    for node in nodes { callbacks.append(try node.callback(isTemplate: areTemplates)) }
    return callbacks
  }

  private func callback(isTemplate: Bool) throws(DocumentError) -> ResponseCallback {
    let object = try object(.callback)
    let request = try object.required("request").object(.callbackRequest)
    let isTemplate = try object["template"]?.bool() ?? isTemplate
    let url = try request.required("url")
    var callback = ResponseCallback(try url.callbackURL(isTemplate: isTemplate))
    callback.isTemplate = isTemplate
    if let method = request["method"] { callback.method = try method.method().rawValue }
    callback.headers = try request["headers"]?.headerFields() ?? [:]
    callback.body = try request.content(ResponsePart.contents)
    callback.after = try object["after"]?.duration() ?? .zero
    if let times = object["times"] {
      callback.times = try times.integer("\"times\"", in: ResponseCallback.timesRange)
    }
    return callback
  }

  /// A URL that can be called; of a template this is known once its placeholders are filled in.
  private func callbackURL(isTemplate: Bool) throws(DocumentError) -> String {
    let text = try filledString("the URL")
    if context.isTrusted || isTemplate && text.contains("{{") { return text }
    try context.rules?.check(callbackURL: text, of: self)
    return text
  }
}
