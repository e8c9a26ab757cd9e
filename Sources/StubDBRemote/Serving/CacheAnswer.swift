package import Foundation
internal import StubDBSupport

/// A request to a cache.
package struct CacheRequest: Sendable {
  package var method: String
  /// The path, without a query.
  package var path: String
  /// The header fields, with names in lower case.
  package var fields: [String: String]

  package init(method: String, path: String, fields: [String: String] = [:]) {
    (self.method, self.path, self.fields) = (method, path, fields)
  }
}

/// What a cache answers.
package struct CacheAnswer: Hashable, Sendable {
  /// The field that says since when the store could not be asked, in ISO 8601.
  package static let staleField = "stubdb-stale-since"

  package var status: Int
  /// The header fields, with names in lower case, without the length.
  package var fields: [String: String]
  /// The content; for `HEAD` it is left out later.
  package var content: Data

  static func text(
    _ status: Int, _ text: String, _ fields: [String: String] = [:]
  ) -> CacheAnswer {
    let more = ["content-type": "text/plain; charset=utf-8", "cache-control": "no-store"]
    return CacheAnswer(
      status: status, fields: fields.merging(more) { $1 }, content: Data(text.utf8))
  }

  static func problem(
    _ status: Int, _ sentence: String, _ fields: [String: String] = [:]
  ) -> CacheAnswer {
    text(status, sentence + "\n", fields)
  }
}

/// What a cache has found, for all who asked for it at the same time.
enum CachedContent: Sendable {
  case object(Data, ObjectDigest)
  /// Since when the store could not be asked, in ISO 8601; nil if it was.
  case pointer(Data, staleSince: String?)
  case signature(Data)
  case problem(Int, String)
  case failure(RemoteError)

  func answer(to request: CacheRequest) -> CacheAnswer {
    switch self {
    case .object(let data, let digest):
      return Self.answer(
        request, data, tag: "\"\(digest)\"",
        ["cache-control": "public, max-age=31536000, immutable"])
    case .pointer(let data, let date):
      var fields = ["cache-control": "no-cache", "content-type": "application/json"]
      if let date { fields[CacheAnswer.staleField] = date }
      return Self.answer(request, data, tag: "\"\(ObjectDigest(of: data))\"", fields)
    case .signature(let data):
      return Self.answer(
        request, data, tag: "\"\(ObjectDigest(of: data))\"", ["cache-control": "no-cache"])
    case .problem(let status, let sentence): return .problem(status, sentence)
    case .failure(let error): return .problem(Self.status(of: error), error.message + ".")
    }
  }

  /// What a client is to make of a failure: one that passes is tried again.
  private static func status(of error: RemoteError) -> Int {
    switch error.code {
    case .unreachable: 504
    case .denied: 403
    case .inputOutput: 500
    default: 502
    }
  }

  private static func answer(
    _ request: CacheRequest, _ data: Data, tag: String, _ fields: [String: String]
  ) -> CacheAnswer {
    var answer = CacheAnswer(status: 200, fields: fields, content: data)
    answer.fields["etag"] = tag
    answer.fields["accept-ranges"] = "bytes"
    if answer.fields["content-type"] == nil {
      answer.fields["content-type"] = "application/octet-stream"
    }
    if let tags = request.fields["if-none-match"] {
      let known = tags.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if known.contains(tag) || known == ["*"] {
        (answer.status, answer.content) = (304, Data())
        return answer
      }
    }
    // What is asked for is the rest of a download; any other range may be answered with the whole.
    guard let range = request.fields["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
      let start = Int(range.dropFirst(6).dropLast()), start >= 0,
      request.fields["if-range"].map({ $0 == tag }) ?? true
    else { return answer }
    guard start < data.count else {
      (answer.status, answer.content) = (416, Data())
      answer.fields["content-range"] = "bytes */\(data.count)"
      return answer
    }
    answer.status = 206
    answer.content = data[(data.startIndex + start)...]
    answer.fields["content-range"] = "bytes \(start)-\(data.count - 1)/\(data.count)"
    return answer
  }
}

/// The last pointers of a store, in files of the cache.
struct PointerMemory: Sendable {
  private let folder: URL
  private let url: RemoteURL

  init(_ folder: URL, of url: RemoteURL) {
    (self.folder, self.url) = (folder, url)
  }

  private func file(_ name: String) -> URL {
    let place = "\(url.scheme.rawValue)://\(url.bucket)/\(url.prefix)\(name)"
    return folder.appendingPathComponent(
      SHA256Digest.hexadecimal(of: Data(place.utf8)) + ".json")
  }

  /// Keeps a pointer that was read at a moment; a full disk only means that it is not known later.
  func keep(_ data: Data, of name: String, at date: Date) {
    let manager = FileManager.default
    let file = file(name)
    if (try? Data(contentsOf: file)) != data {
      try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
      try? DurableFile.write(data, to: file, permissions: 0o600)
    }
    try? manager.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }

  func forget(_ name: String) {
    // It may not be there.
    try? FileManager.default.removeItem(at: file(name))
  }

  /// A pointer, and when it was read.
  func last(of name: String) -> (data: Data, date: Date)? {
    let file = file(name)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let date = attributes?[.modificationDate] as? Date,
      let data = try? Data(contentsOf: file),
      (try? CatalogPointer(decoding: data, at: "")) != nil
    else { return nil }
    return (data, date)
  }
}
