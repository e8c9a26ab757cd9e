internal import Foundation

/// Where the objects of a bucket are: as a part of the host, or of the path.
struct S3Address: Hashable, Sendable {
  let region: String
  /// `https`, or `http` for a server of one's own.
  let scheme: String
  /// The host and, if it is not the usual one, the port.
  let authority: String
  /// What the path begins with; empty, or a slash and the bucket.
  let base: String

  /// The settings come from the URL, then from what the tools of AWS read.
  ///
  /// With an endpoint of one's own the bucket is a part of the path, because few servers have names for their buckets.
  init(
    bucket: String, options: [String: String], setting: (String) -> String?
  ) throws(RemoteError) {
    let region =
      options["region"] ?? setting("AWS_REGION") ?? setting("AWS_DEFAULT_REGION")
      ?? "us-east-1"
    self.region = region
    let endpoint =
      options["endpoint"] ?? setting("AWS_ENDPOINT_URL_S3") ?? setting("AWS_ENDPOINT_URL")
    // Without an endpoint it is a part of the host.
    let isName = region.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D
    }
    guard endpoint != nil || isName && !region.isEmpty else {
      throw RemoteError(.invalid, "the region of the store is no name: \(region)")
    }
    let style = options["style"]
    guard [nil, "path", "virtual"].contains(style) else {
      throw RemoteError(.invalid, "style of an s3 URL is path or virtual, not \(style ?? "")")
    }
    let text = endpoint ?? "https://s3.\(region).amazonaws.com"
    guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.user == nil
    else {
      throw RemoteError(
        .invalid, "the endpoint of the store is no URL: \(text)",
        hints: ["To set one: export AWS_ENDPOINT_URL_S3=https://minio.example.com"])
    }
    let authority = host + (url.port.map { ":\($0)" } ?? "")
    let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    // A certificate for *.s3.… does not cover a name with dots.
    let isVirtual =
      style == "virtual" || style == nil && endpoint == nil && !bucket.contains(".")
    self.scheme = scheme
    self.authority = isVirtual ? "\(bucket).\(authority)" : authority
    base = isVirtual ? path : "\(path)/\(bucket)"
  }

  /// The encoded path of a key, or of the bucket.
  func path(_ key: String) -> String { URLText.path("\(base)/\(key)") }
}
