internal import Foundation

/// Where the blobs of an account are.
struct AzureAccount: Hashable, Sendable {
  let name: String
  /// The scheme and authority.
  let place: String
  /// What paths begin with: empty, or a slash and the account's name where the host does not have it.
  let basePath: String

  /// - Throws: ``RemoteError`` if a name is not one, because it becomes a part of a host, or if an address is not one.
  init(_ name: String, connection: AzureConnection?) throws(RemoteError) {
    let isPlain = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
    }
    guard isPlain, (3...24).contains(name.utf8.count) else {
      throw RemoteError(
        .invalid,
        "\(name) is no name of a storage account, which has 3 to 24 lower-case letters and digits")
    }
    self.name = name
    guard let endpoint = connection?.endpoint(of: name) else {
      place = "https://\(name).blob.core.windows.net"
      basePath = ""
      return
    }
    guard let url = URLComponents(string: endpoint), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
    else {
      throw RemoteError(
        .invalid, "the BlobEndpoint of $AZURE_STORAGE_CONNECTION_STRING is no URL")
    }
    place = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    basePath = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
  }
}

/// A connection string of Azure's tools.
///
/// https://learn.microsoft.com/en-us/azure/storage/common/storage-configure-connection-string
struct AzureConnection: Hashable, Sendable {
  /// The account of the emulator, whose key is public.
  private static let emulator = [
    "AccountName": "devstoreaccount1",
    "AccountKey":
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    "BlobEndpoint": "http://127.0.0.1:10000/devstoreaccount1",
  ]

  private let parts: [String: String]

  init(parsing text: String) {
    var parts: [String: String] = [:]
    for part in text.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if pair.count == 2 { parts[pair[0]] = pair[1] }
    }
    self.parts = parts["UseDevelopmentStorage"]?.lowercased() == "true" ? Self.emulator : parts
  }

  var account: String? { parts["AccountName"] }
  var key: String? { parts["AccountKey"] }
  var sharedAccess: String? { parts["SharedAccessSignature"] }

  /// Nil if the account is where all are.
  func endpoint(of name: String) -> String? {
    guard account == nil || account == name else { return nil }
    if let endpoint = parts["BlobEndpoint"] { return endpoint }
    guard parts["EndpointSuffix"] != nil || parts["DefaultEndpointsProtocol"] != nil else {
      return nil
    }
    let suffix = parts["EndpointSuffix"] ?? "core.windows.net"
    return "\(parts["DefaultEndpointsProtocol"] ?? "https")://\(name).blob.\(suffix)"
  }
}
