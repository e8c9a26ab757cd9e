import Foundation
import StubDBSupport
import StubDBTestSupport

/// A server of one bucket or container of another service than S3, on this machine.
///
/// It is written by the descriptions of the services, apart from the code that makes the requests, and refuses what they
/// would refuse: wrong signatures, missing header fields, conditions that are not met.
final class ServiceServer: Sendable {
  enum Service: String, CaseIterable, Sendable {
    /// With the key of an account.
    /// https://learn.microsoft.com/en-us/rest/api/storageservices/authorize-with-shared-key
    case azure
    /// The JSON API, as an emulator has it, which takes no credentials.
    /// https://cloud.google.com/storage/docs/json_api/v1/objects
    case google
  }

  private struct State {
    var contents: [String: (data: Data, generation: Int)] = [:]
    var generation = 1_700_000_000_000_000
    /// Why requests were refused.
    var refusals: [String] = []
  }

  private static let account = "account1"
  private static let key = Data("a key of the test".utf8)

  let service: Service
  private let state: Locked<State>
  private let server: LoopbackServer

  init(_ service: Service) throws {
    let state = Locked(State())
    (self.service, self.state) = (service, state)
    server = try LoopbackServer(bytes: { request in
      state.withLock { state in
        let call = Call(request)
        switch service {
        case .azure: return Self.azure(call, &state)
        case .google: return Self.google(call, &state)
        }
      }
    })
  }

  var url: String {
    switch service {
    case .azure: "az://\(Self.account)/stubs/team/"
    case .google: "gs://stubs/team/"
    }
  }

  /// What a client needs to find it; with another key, if it is to be refused.
  func environment(key: Data = key) -> [String: String] {
    let place = server.url("")
    return switch service {
    case .azure:
      [
        "AZURE_STORAGE_CONNECTION_STRING":
          "AccountName=\(Self.account);AccountKey=\(key.base64EncodedString());"
          + "BlobEndpoint=\(place)/\(Self.account)"
      ]
    case .google: ["STORAGE_EMULATOR_HOST": place]
    }
  }

  var refusals: [String] { state.withLock { $0.refusals } }
  var keys: [String] { state.withLock { $0.contents.keys.sorted() } }

  // MARK: Requests and answers

  private struct Call {
    let method: String
    /// As it was sent.
    let path: String
    let query: [String: String]
    let fields: [String: String]
    let content: Data

    init(_ request: LoopbackServer.Request) {
      let words = request.line.split(separator: " ")
      let target = words[1].split(separator: "?", maxSplits: 1)
      (method, path) = (String(words[0]), String(target[0]))
      var query: [String: String] = [:]
      for pair in target.dropFirst().first?.split(separator: "&") ?? [] {
        let parts = pair.split(separator: "=", maxSplits: 1).map {
          String($0).removingPercentEncoding ?? ""
        }
        query[parts[0]] = parts.count > 1 ? parts[1] : ""
      }
      (self.query, fields, content) = (query, request.headers, request.body)
    }
  }

  private static func response(
    _ status: Int, _ fields: [String] = [], _ content: Data = Data(), length: Int? = nil
  ) -> Data {
    let lines = ["HTTP/1.1 \(status) Answer", "Content-Length: \(length ?? content.count)"]
    return Data(((lines + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
  }

  private static func refuse(_ status: Int, _ reason: String, _ state: inout State) -> Data {
    state.refusals.append(reason)
    return response(
      status, ["x-ms-error-code: \(reason)"],
      Data(#"{"error":{"code":\#(status),"errors":[{"reason":"\#(reason)"}]}}"#.utf8))
  }

  /// The content from the byte of the field `Range` on.
  private static func content(_ data: Data, _ call: Call, _ fields: [String]) -> Data {
    guard let range = call.fields["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
      let start = Int(range.dropFirst(6).dropLast())
    else { return response(200, fields, data) }
    guard start < data.count else { return response(416) }
    let place = "Content-Range: bytes \(start)-\(data.count - 1)/\(data.count)"
    return response(206, fields + [place], data[start...])
  }

  /// A page of two names, and the mark of the next one.
  private static func page(
    prefix: String, after mark: String?, _ state: State
  ) -> (names: [String], next: String?) {
    let names = state.contents.keys.sorted().filter {
      $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") && $0 > mark ?? ""
    }
    return (Array(names.prefix(2)), names.count > 2 ? names[1] : nil)
  }

  private static func put(_ key: String, _ data: Data, _ state: inout State) -> Int {
    state.generation += 1
    state.contents[key] = (data, state.generation)
    return state.generation
  }

  // MARK: Azure

  private static func azure(_ call: Call, _ state: inout State) -> Data {
    guard let version = call.fields["x-ms-version"], version >= "2015-02-21",
      call.fields["x-ms-date"]?.hasSuffix(" GMT") == true
    else { return refuse(400, "MissingRequiredHeader", &state) }
    guard call.fields["authorization"] == sharedKey(of: call) else {
      return refuse(403, "AuthenticationFailed", &state)
    }
    let place = "/\(account)/stubs"
    if call.path == place, call.query["restype"] == "container", call.query["comp"] == "list" {
      let page = page(prefix: call.query["prefix"] ?? "", after: call.query["marker"], state)
      let blobs = page.names.map { "<Blob><Name>\($0)</Name></Blob>" }.joined()
      return response(
        200, [],
        Data(
          #"<EnumerationResults ContainerName="stubs"><Blobs>\#(blobs)</Blobs><NextMarker>\#(page.next ?? "")</NextMarker></EnumerationResults>"#
            .utf8))
    }
    guard call.path.hasPrefix(place + "/") else { return refuse(404, "ContainerNotFound", &state) }
    let key = String(call.path.dropFirst(place.count + 1)).removingPercentEncoding ?? ""
    let present = state.contents[key]
    let tag = present.map { "\"\($0.generation)\"" }
    switch call.method {
    case "GET", "HEAD":
      guard let present, let tag else { return response(404, ["x-ms-error-code: BlobNotFound"]) }
      if call.method == "HEAD" {
        return response(200, ["ETag: \(tag)"], length: present.data.count)
      }
      return content(present.data, call, ["ETag: \(tag)"])
    case "PUT":
      guard call.fields["x-ms-blob-type"] == "BlockBlob" else {
        return refuse(400, "MissingRequiredHeader", &state)
      }
      if call.fields["if-none-match"] == "*", present != nil {
        return response(409, ["x-ms-error-code: BlobAlreadyExists"])
      }
      if let wanted = call.fields["if-match"], wanted != tag {
        return response(412, ["x-ms-error-code: ConditionNotMet"])
      }
      return response(201, ["ETag: \"\(put(key, call.content, &state))\""])
    default: return refuse(405, "UnsupportedHttpVerb", &state)
    }
  }

  /// What the description says is signed, and how.
  private static func sharedKey(of call: Call) -> String {
    let length = call.fields["content-length"] ?? ""
    let standard = [
      call.method, call.fields["content-encoding"], call.fields["content-language"],
      length == "0" ? "" : length, call.fields["content-md5"], call.fields["content-type"],
      call.fields["date"], call.fields["if-modified-since"], call.fields["if-match"],
      call.fields["if-none-match"], call.fields["if-unmodified-since"], call.fields["range"],
    ].map { $0 ?? "" }
    let own = call.fields.filter { $0.key.hasPrefix("x-ms-") }.sorted { $0.key < $1.key }
      .map { "\($0.key):\($0.value)" }
    let parameters = call.query.sorted { $0.key < $1.key }.map { "\n\($0.key):\($0.value)" }
    let text = (standard + own + ["/\(account)\(call.path)\(parameters.joined())"])
      .joined(separator: "\n")
    let signature = SHA256Digest.hmac(key: key, Data(text.utf8))
    return "SharedKey \(account):\(signature.base64EncodedString())"
  }

  // MARK: Google

  private static func google(_ call: Call, _ state: inout State) -> Data {
    let objects = "/storage/v1/b/stubs/o"
    if call.method == "POST", call.path == "/upload" + objects, call.query["uploadType"] == "media",
      let key = call.query["name"]
    {
      let present = state.contents[key]?.generation ?? 0
      if let wanted = call.query["ifGenerationMatch"], wanted != "\(present)" {
        return response(
          412, [], Data(#"{"error":{"code":412,"errors":[{"reason":"conditionNotMet"}]}}"#.utf8))
      }
      let generation = put(key, call.content, &state)
      return response(200, [], Data(#"{"name":"\#(key)","generation":"\#(generation)"}"#.utf8))
    }
    guard call.method == "GET" else { return refuse(405, "methodNotAllowed", &state) }
    if call.path == objects {
      let page = page(prefix: call.query["prefix"] ?? "", after: call.query["pageToken"], state)
      let items = page.names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
      let next = page.next.map { #","nextPageToken":"\#($0)""# } ?? ""
      return response(
        200, [], Data(#"{"kind":"storage#objects","items":[\#(items)]\#(next)}"#.utf8))
    }
    // A name is one segment there, with its slashes encoded.
    guard call.path.hasPrefix(objects + "/"), !call.path.dropFirst(objects.count + 1).contains("/"),
      let key = String(call.path.dropFirst(objects.count + 1)).removingPercentEncoding
    else { return refuse(404, "notFound", &state) }
    guard let present = state.contents[key] else {
      return response(
        404, [], Data(#"{"error":{"code":404,"message":"No such object: stubs"}}"#.utf8))
    }
    let fields = ["x-goog-generation: \(present.generation)", "ETag: \"of reads only\""]
    guard call.query["alt"] == "media" else {
      return response(200, [], Data(#"{"size":"\#(present.data.count)"}"#.utf8))
    }
    return content(present.data, call, fields)
  }
}
