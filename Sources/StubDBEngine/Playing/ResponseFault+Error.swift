import StubDBModel

extension ResponseFault {
  /// The error that a client of a real server gets; nil where it gets none and waits.
  ///
  /// A connection that ends too early is lost, whoever ended it; bytes that are no response cannot be parsed.
  var clientError: ResponseError? {
    switch self {
    case .connectionReset, .emptyResponse, .truncated:
      ResponseError(urlErrorName: "networkConnectionLost")
    case .garbage:
      ResponseError(urlErrorName: "cannotParseResponse")
    case .never:
      nil
    }
  }
}
