import Foundation
import Testing

@testable import StubDBRemote

struct PublicKeyTests {
  private static let text =
    "AAAAC3NzaC1lZDI1NTE5AAAAIAEKEABE5KZNPNz9wR+jwk9BANS2tUDyq7FBs4a59Do7"

  /// A key whose bytes are all the same.
  private static func encoded(
    _ kind: String, bytes: Int = 32, and rest: [String] = []
  ) -> String {
    func field(_ data: Data) -> Data {
      Data([0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]) + data
    }
    let fields = [Data(kind.utf8), Data(repeating: 7, count: bytes)] + rest.map { Data($0.utf8) }
    return fields.map(field).reduce(Data(), +).base64EncodedString()
  }

  private static let device = "sk-ssh-ed25519@openssh.com"

  @Test func aLineIsAKeyAndAName() throws {
    let key = try PublicKey(parsing: " ssh-ed25519 \(Self.text) Ada at work \n", at: "key")
    #expect(key.name == "Ada at work")
    #expect(key.description == "ssh-ed25519 \(Self.text) Ada at work")
    #expect(
      key.label == "Ada at work (SHA256:S1KBVF8f673Qk9V+/rP2dQchCCcyUXw2EWGQdczH3fc)")
    let bare = try PublicKey(parsing: key.bare, at: "key")
    #expect(bare.isSame(as: key) && bare != key && bare.label == key.fingerprint)
    let sk = try PublicKey(
      parsing: "\(Self.device) \(Self.encoded(Self.device, and: ["ssh:"]))", at: "key")
    #expect(sk.kind == .device)
  }

  @Test(arguments: [
    "", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-rsa AAAAB3NzaC1yc2E= ada",
    "ssh-ed25519 \(text)= ada", "ssh-ed25519 \(text.dropLast())= ada",
    "\(device) \(text) ada", "ssh-ed25519 \(encoded("ssh-ed25519", bytes: 31))",
    "ssh-ed25519 \(encoded("ssh-ed25519", and: ["x"]))", "\(device) \(encoded(device))",
    "ssh-ed25519 \(encoded("ssh-rsa"))",
    // Options of a list of allowed signers, and lines that would be further entries of it.
    "namespaces=\"*\" ssh-ed25519 \(text)", "cert-authority ssh-ed25519 \(text)",
    "* ssh-ed25519 \(text)", "ssh-ed25519 \(text) ada\n* ssh-ed25519 \(text)",
    "ssh-ed25519 \(text) ada\r* ssh-ed25519 \(text)", "ssh-ed25519 \(text) \u{1B}[2Jada",
    "ssh-ed25519 \(text) \u{202E}ada", "ssh-ed25519\t\(text)",
    "ssh-ed25519 \(text) \(String(repeating: "a", count: 101))",
    "ssh-ed25519 \(String(repeating: "A", count: 2000))",
  ])
  func anythingElseIsRefused(line: String) {
    let error = #expect(throws: RemoteError.self) { try PublicKey(parsing: line, at: "key 1") }
    #expect(error?.message.hasPrefix("key 1 is no public key") == true)
    #expect(error?.message.unicodeScalars.contains { $0.value < 0x20 } == false)
  }

  @Test func keysAreInTheLockAndAreNotLost() throws {
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent(LockFile.fileName)
    let digest = ObjectDigest(of: Data("abc".utf8))
    let key = try PublicKey(parsing: "ssh-ed25519 \(Self.text) ada", at: "key")
    let entry = LockFile.Entry(
      url: "s3://stubs/shop", commit: digest, digest: digest, bytes: 3, keys: [key])
    var lock = LockFile(catalogs: ["shop": entry])
    try lock.write(to: file)
    #expect(try LockFile(contentsOf: file) == lock)
    let text = String(decoding: lock.encoded, as: UTF8.self)
    let line = #""ssh-ed25519 \#(Self.text) ada""#
    #expect(text.contains("\"keys\": [\n        \(line)\n      ]"), "\(text)")
    for wrong in ["", "\(line), \(line)", "1", "null", #""ssh-rsa AAAA""#] {
      let other = text.replacingOccurrences(of: line, with: wrong)
      #expect(throws: RemoteError.self, "\(wrong)") {
        try LockFile(decoding: Data(other.utf8), what: "stubdb.lock")
      }
    }
    let nothing = text.replacingOccurrences(of: "[\n        \(line)\n      ]", with: "null")
    #expect(throws: RemoteError.self) {
      try LockFile(decoding: Data(nothing.utf8), what: "stubdb.lock")
    }
    lock.catalogs["shop"]?.keys = []
    let error = #expect(throws: RemoteError.self) { try lock.write(to: file) }
    #expect(error?.hints == ["To trust a key no longer: stubdb key distrust shop KEY"])
    #expect(try LockFile(contentsOf: file)?.catalogs["shop"] == entry)
    lock.catalogs["shop"]?.keys = [try #require(PublicKey(encoded: key.encoded, name: "Ada"))]
    try lock.write(to: file)
    lock.catalogs["shop"]?.keys = []
    try lock.write(to: file, distrusting: ["shop"])
    #expect(try LockFile(contentsOf: file) == lock)
  }
}
