package import Foundation

/// The program `ssh-keygen`, which makes keys and signatures, and verifies them.
package protocol SignatureProgram: Sendable {
  /// Runs it with arguments to its end.
  ///
  /// `input` is the file that it reads as its standard input; nil for none. With `mayAsk` it may ask the person at the
  /// terminal for a passphrase, or to touch a device, and may use what the person has set up for ssh, such as an agent;
  /// otherwise it gets nothing of that.
  /// - Throws: ``RemoteError`` if it cannot be run.
  func run(
    _ arguments: [String], input: URL?, mayAsk: Bool
  ) throws(RemoteError) -> SignatureProgramEnd
}

/// How `ssh-keygen` ended.
package struct SignatureProgramEnd: Sendable {
  /// Its exit code; 0 if it did what it was asked for.
  package var code: Int32
  /// What it wrote to standard error.
  package var message: String

  package init(code: Int32, message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The last line of its message, which says why it failed, without what a terminal would not show as it is.
  var reason: String {
    let lines = message.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let line = lines.last { !$0.isEmpty } ?? "it ended with \(code)"
    return String(
      String.UnicodeScalarView(
        line.unicodeScalars.filter { $0.properties.generalCategory != .control }
      )
      .prefix(300))
  }
}

/// What signs: a key that this machine has.
package enum SigningKey: Hashable, Sendable {
  /// A file with a private key, or with the public key of one that ssh-agent has.
  case file(URL)
  /// The public key of one that ssh-agent has.
  case agent(PublicKey)

  /// What it is, for messages.
  var label: String {
    switch self {
    case .file(let file): file.path
    case .agent(let key): key.label
    }
  }
}

/// Signs and verifies with `ssh-keygen`.
///
/// Everything that it reads is in a folder of its own that is made for one call, so that no setting of the person who
/// runs it has a part in what is trusted.
package struct Signing: Sendable {
  /// The only name in the list of allowed signers; what a key is called in a lock file never gets there.
  private static let principal = "signer"

  let program: any SignatureProgram

  package init(program: any SignatureProgram) {
    self.program = program
  }

  /// Signs bytes, and verifies the signature.
  ///
  /// - Throws: ``RemoteError`` with `denied` if the key cannot be used.
  package func signature(
    of data: Data, in namespace: String, with key: SigningKey
  ) throws(RemoteError) -> SSHSignature {
    func failure(_ reason: String) -> RemoteError {
      RemoteError(
        .denied, "cannot sign with \(key.label): \(reason)",
        hints: [
          "A key with a passphrase is asked for on a terminal; elsewhere let ssh-agent have it: ssh-add FILE"
        ])
    }
    let signature = try PrivateFolder.with { folder throws(RemoteError) in
      let content = try folder.write("commit", data)
      let keyFile =
        switch key {
        case .file(let file): file
        case .agent(let key): try folder.write("key.pub", Data((key.bare + "\n").utf8))
        }
      let end = try program.run(
        ["-q", "-Y", "sign", "-f", keyFile.path, "-n", namespace, content.path], input: nil,
        mayAsk: true)
      guard end.code == 0 else { throw failure(end.reason) }
      guard let armored = folder.read("commit.sig", limit: SSHSignature.maximumSize) else {
        throw failure("ssh-keygen left no signature")
      }
      guard let signature = SSHSignature(armored: armored) else {
        throw failure("it is no Ed25519 key, the only kind that signs catalogs")
      }
      return signature
    }
    if let reason = try reasonAgainst(signature, of: data, in: namespace, by: signature.key) {
      throw failure("its signature is not valid: \(reason)")
    }
    return signature
  }

  /// Why a signature is not one of these bytes by this key; nil if it is.
  package func reasonAgainst(
    _ signature: SSHSignature, of data: Data, in namespace: String, by key: PublicKey
  ) throws(RemoteError) -> String? {
    // ssh-keygen verifies the same; here it is a message.
    guard signature.key.isSame(as: key) else { return "it was made with another key" }
    return try PrivateFolder.with { folder throws(RemoteError) in
      let content = try folder.write("commit", data)
      let text = try folder.write("commit.sig", signature.armored)
      let allowed = try folder.write(
        "allowed",
        Data("\(Self.principal) namespaces=\"\(namespace)\" \(key.bare)\n".utf8))
      let end = try program.run(
        [
          "-q", "-Y", "verify", "-f", allowed.path, "-I", Self.principal, "-n", namespace, "-s",
          text.path,
        ], input: content, mayAsk: false)
      return end.code == 0 ? nil : end.reason
    }
  }
}

/// A folder that only its owner can read, and that is removed at the end.
struct PrivateFolder {
  private let url: URL

  static func with<Value>(
    _ body: (PrivateFolder) throws(RemoteError) -> Value
  ) throws(RemoteError) -> Value {
    let folders = FileManager.default.temporaryDirectory.path
    var template = Array((folders + "/stubdb-signing-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RemoteError(
        .inputOutput, "cannot make a folder in \(folders): \(String(cString: strerror(errno)))")
    }
    let path = template.withUnsafeBufferPointer { bytes in
      String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let folder = PrivateFolder(url: URL(fileURLWithPath: path, isDirectory: true))
    defer { try? FileManager.default.removeItem(at: folder.url) }
    return try body(folder)
  }

  func write(_ name: String, _ data: Data) throws(RemoteError) -> URL {
    let file = url.appendingPathComponent(name)
    do {
      try data.write(to: file, options: .withoutOverwriting)
    } catch {
      throw RemoteError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
    }
    return file
  }

  /// The content of a file; nil if it is missing, or if it is longer than `limit`.
  func read(_ name: String, limit: Int) -> Data? {
    guard let data = try? Data(contentsOf: url.appendingPathComponent(name)), data.count <= limit
    else { return nil }
    return data
  }
}
