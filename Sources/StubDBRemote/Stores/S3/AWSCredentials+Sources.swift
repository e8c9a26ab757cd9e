internal import Foundation
internal import StubDBJSON

/// Where the tools of AWS find credentials and settings: the environment, profiles, and the machine's role.
///
/// Nothing of it is ever written to a file or to a message.
/// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
struct AWSSettings {
  let environment: [String: String]
  /// The properties of the chosen profile.
  private let profile: [String: String]
  /// The name of the profile, for messages.
  private let profileName: String

  /// Reads the profile of `$AWS_PROFILE`, else `default`, of the user's files.
  init(environment: [String: String]) {
    self.environment = environment
    func file(_ variable: String, _ name: String) -> AWSProfiles {
      let path = environment[variable] ?? environment["HOME"].map { "\($0)/.aws/\(name)" } ?? ""
      return AWSProfiles((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }
    let name = environment["AWS_PROFILE"].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
    let config = file("AWS_CONFIG_FILE", "config")
    let shared = file("AWS_SHARED_CREDENTIALS_FILE", "credentials")
    profileName = name
    profile = (config.sections["profile \(name)"] ?? config.sections[name] ?? [:])
      .merging(shared.sections[name] ?? [:]) { _, secret in secret }
  }

  /// A setting by the name of its variable; empty ones do not count.
  func value(_ variable: String) -> String? {
    if let value = environment[variable], !value.isEmpty { return value }
    let names = [
      "AWS_REGION": "region", "AWS_DEFAULT_REGION": "region", "AWS_ENDPOINT_URL": "endpoint_url",
    ]
    return names[variable].flatMap { profile[$0] }
  }

  /// The credentials in the environment, else in the profile.
  var credentials: AWSCredentials? {
    // A profile that is chosen by name comes before keys that are in the environment by chance, as in the tools of AWS
    // only where it is an option: a variable does not.
    if let keyID = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return AWSCredentials(
        keyID: keyID, secret: secret, sessionToken: value("AWS_SESSION_TOKEN"))
    }
    guard let keyID = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"]
    else { return nil }
    return AWSCredentials(
      keyID: keyID, secret: secret, sessionToken: profile["aws_session_token"])
  }

  /// - Throws: ``RemoteError`` if a profile is named and does not exist.
  func requireProfile() throws(RemoteError) {
    guard value("AWS_PROFILE") != nil, profile.isEmpty else { return }
    throw RemoteError(
      .denied, "there is no profile \(profileName), which $AWS_PROFILE names",
      hints: ["To see those there are: aws configure list-profiles"])
  }
}

extension AWSCredentials {
  /// What to do without credentials.
  static let hint =
    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile of ~/.aws/credentials."

  /// The credentials that the tools of AWS would use: of the environment, a profile, a container, or a machine.
  static func found(
    _ settings: AWSSettings, transport: any HTTPTransport
  ) throws(RemoteError) -> AWSCredentials {
    if let credentials = settings.credentials { return credentials }
    try settings.requireProfile()
    if let credentials = try AWSRole(settings: settings, transport: transport).credentials {
      return credentials
    }
    throw RemoteError(.denied, "there are no credentials for S3", hints: [hint])
  }
}

/// The role of a container or a machine, whose credentials are at a local address.
struct AWSRole {
  let settings: AWSSettings
  let transport: any HTTPTransport

  /// Nil if this is no such container or machine.
  var credentials: AWSCredentials? {
    get throws(RemoteError) {
      if let container = try ofContainer { return container }
      guard settings.value("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else { return nil }
      return try ofMachine
    }
  }

  /// The credentials of a container.
  ///
  /// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
  private var ofContainer: AWSCredentials? {
    get throws(RemoteError) {
      let relative = settings.value("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
      guard
        let url = relative.map({ "http://169.254.170.2" + $0 })
          ?? settings.value("AWS_CONTAINER_CREDENTIALS_FULL_URI")
      else { return nil }
      var fields: [String: String] = [:]
      if let file = settings.value("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
        fields["Authorization"] = try? String(contentsOfFile: file, encoding: .utf8)
      } else {
        fields["Authorization"] = settings.value("AWS_CONTAINER_AUTHORIZATION_TOKEN")
      }
      return try transport.localAnswer("GET", url, fields).flatMap(Self.credentials)
    }
  }

  /// Version 2 of the metadata service, which asks for a token first.
  ///
  /// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
  private var ofMachine: AWSCredentials? {
    get throws(RemoteError) {
      let base =
        settings.value("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? "http://169.254.169.254"
      let lifetime = ["X-aws-ec2-metadata-token-ttl-seconds": "300"]
      guard let token = try transport.localAnswer("PUT", "\(base)/latest/api/token", lifetime)
      else { return nil }
      let fields = ["X-aws-ec2-metadata-token": String(decoding: token, as: UTF8.self)]
      let path = "\(base)/latest/meta-data/iam/security-credentials/"
      guard let list = try transport.localAnswer("GET", path, fields),
        let role = String(decoding: list, as: UTF8.self).split(separator: "\n").first
      else { return nil }
      return try transport.localAnswer("GET", path + role, fields).flatMap(Self.credentials)
    }
  }

  private static func credentials(_ data: Data) -> AWSCredentials? {
    guard let value = try? JSONValue(parsing: data), let keyID = value.text("AccessKeyId"),
      let secret = value.text("SecretAccessKey")
    else { return nil }
    return AWSCredentials(keyID: keyID, secret: secret, sessionToken: value.text("Token"))
  }
}

/// The sections of a file of AWS's tools, such as `~/.aws/config`.
struct AWSProfiles {
  /// The properties of each section, by its name as written.
  private(set) var sections: [String: [String: String]] = [:]

  init(_ text: String) {
    var section = ""
    for line in text.split(whereSeparator: \.isNewline) {
      // An indented line belongs to the property before, of which none is needed.
      guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else {
        continue
      }
      if first == "[", let end = line.firstIndex(of: "]") {
        section = line[line.index(after: line.startIndex)..<end]
          .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { sections[section, default: [:]][parts[0].lowercased()] = parts[1] }
    }
  }
}
