import Foundation
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The source of a request's content.
enum BodySource {
  /// The bytes themselves; empty if the request has no content.
  case bytes(Data)
  /// A stream, which can be read once.
  case stream(InputStream)
  /// A file.
  case file(URL)
  /// None; the reason is the end of a sentence.
  case unknown(String)
}

extension BodySource {
  /// The source in the request itself, or else another one.
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
  /// The content, if reading it needs no I/O; nil otherwise.
  var immediateContent: RequestBody? {
    switch self {
    case .bytes(let content): .bytes(content)
    case .unknown(let reason): .unknown(reason: reason)
    case .stream, .file: nil
    }
  }
}
