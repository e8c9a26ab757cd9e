import Foundation
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where the content of a request can be had from.
enum BodySource {
  /// The bytes themselves; empty means that the request has no content.
  case bytes(Data)
  /// A stream, which can be read once.
  case stream(InputStream)
  /// A file.
  case file(URL)
  /// Nowhere, and why, as the end of a sentence.
  case unknown(String)
}

extension BodySource {
  /// What the request itself holds, or else something else.
  init(of request: URLRequest, otherwise: BodySource = .bytes(Data())) {
    if let content = request.httpBody {
      self = .bytes(content)
    } else if let stream = request.httpBodyStream {
      self = .stream(stream)
    } else {
      self = otherwise
    }
  }
}

extension BodySource {
  /// The content, if that needs no I/O; else nil.
  var immediateContent: RequestBody? {
    switch self {
    case .bytes(let content): .bytes(content)
    case .unknown(let reason): .unknown(reason: reason)
    case .stream, .file: nil
    }
  }
}
