import Foundation
import Testing

@testable import StubDBRemote

/// Signatures of commits, made and verified by the real `ssh-keygen`.
struct SigningTests {
  private let folder = TemporaryFolder()
  private let signing = Signing(program: Keygen())

  /// A key in a file, and its public half.
  private func key(
    _ name: String, type: String = "ed25519", passphrase: String = ""
  ) throws -> (key: SigningKey, publicKey: URL) {
    let file = folder.url.appendingPathComponent(name)
    let end = try Keygen().run(
      ["-q", "-t", type, "-N", passphrase, "-C", name, "-f", file.path], input: nil, mayAsk: false)
    try #require(end.code == 0, "\(end.message)")
    return (.file(file), file.appendingPathExtension("pub"))
  }

  private func catalog(
    _ server: BucketServer, cache: String = "cache", name: String = "shop"
  ) throws -> RemoteCatalog {
    let url = try RemoteURL(parsing: "s3://stubs/team/\(name)")
    let stores = RemoteStores(environment: BucketServer.environment, client: server.client)
    return RemoteCatalog(
      url: url, store: try stores.store(of: url),
      cache: ObjectCache(folder.url.appendingPathComponent(cache)))
  }

  private func push(
    _ text: String, to catalog: RemoteCatalog, after parent: ObjectDigest? = nil,
    signedWith keys: [SigningKey] = []
  ) throws -> LockFile.Entry {
    let file = folder.url.appendingPathComponent("\(UUID().uuidString).bin")
    try Data(text.utf8).write(to: file)
    let commit = RemoteCommit(
      catalog: try ObjectDigest(ofFile: file), bytes: text.utf8.count, parent: parent,
      at: "2026-11-22T17:00:00Z", by: "Ada", message: text)
    let digest = try #require(try catalog.store(commit, file: file))
    for key in keys {
      try catalog.store(catalog.signature(of: commit, with: key, by: signing), of: digest)
    }
    return LockFile.Entry(
      url: catalog.url.description, commit: digest, digest: commit.catalog, bytes: commit.bytes)
  }

  /// Why the commit of an entry is not used; nil if it is.
  private func refusal(
    _ entry: LockFile.Entry, of catalog: RemoteCatalog, trusting keys: [URL],
    isOffline: Bool = false
  ) throws -> RemoteError? {
    var entry = entry
    entry.keys = try keys.map { try PublicKey(contentsOf: $0) }
    do throws(RemoteError) {
      _ = try catalog.signer(of: entry, by: signing, isOffline: isOffline)
      return nil
    } catch {
      #expect(error.code == .untrusted, "\(error)")
      return error
    }
  }

  @Test func onlyACommitThatATrustedKeySignedIsUsed() throws {
    let server = BucketServer()
    let (ada, bob) = (try key("ada"), try key("bob"))
    let writer = try catalog(server)
    let signed = try push("one", to: writer, signedWith: [ada.key])
    let unsigned = try push("two", to: writer, after: signed.commit)
    let reader = try catalog(server, cache: "other")
    #expect(try refusal(signed, of: reader, trusting: []) == nil)
    #expect(try refusal(signed, of: reader, trusting: [ada.publicKey]) == nil)
    #expect(try refusal(signed, of: reader, trusting: [bob.publicKey, ada.publicKey]) == nil)
    #expect(try refusal(signed, of: reader, trusting: [bob.publicKey]) != nil)
    #expect(try refusal(unsigned, of: reader, trusting: []) == nil)
    let refusal = try refusal(unsigned, of: reader, trusting: [ada.publicKey])
    let label = try PublicKey(contentsOf: ada.publicKey).label
    #expect(label.hasPrefix("ada (SHA256:"))
    #expect(refusal?.hints.contains("Trusted: \(label)") == true, "\(String(describing: refusal))")
  }

  @Test func aCommitMayHaveSeveralSignatures() throws {
    let server = BucketServer()
    let (ada, bob) = (try key("ada"), try key("bob"))
    let entry = try push("one", to: catalog(server), signedWith: [ada.key, bob.key])
    for publicKey in [ada.publicKey, bob.publicKey] {
      let reader = try catalog(server, cache: UUID().uuidString)
      #expect(try refusal(entry, of: reader, trusting: [publicKey]) == nil)
    }
  }

  @Test func whatIsInTheCacheIsVerifiedWithoutARequest() throws {
    let server = BucketServer()
    let ada = try key("ada")
    let entry = try push("one", to: catalog(server), signedWith: [ada.key])
    let reader = try catalog(server, cache: "other")
    #expect(try refusal(entry, of: reader, trusting: [ada.publicKey]) == nil)
    let count = server.requests.count
    #expect(try refusal(entry, of: reader, trusting: [ada.publicKey]) == nil)
    #expect(
      try refusal(entry, of: reader, trusting: [key("bob").publicKey], isOffline: true) != nil)
    #expect(server.requests.count == count)
    // A signature that was damaged in the cache is fetched anew.
    let path = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: reader.cache.folder.path)
        .first { $0.hasPrefix("signatures/") && $0.contains(".") })
    let file = reader.cache.folder.appendingPathComponent(path)
    chmod(file.path, 0o644)
    try Data("damaged".utf8).write(to: file)
    #expect(try refusal(entry, of: reader, trusting: [ada.publicKey], isOffline: true) != nil)
    #expect(try refusal(entry, of: reader, trusting: [ada.publicKey]) == nil)
    #expect(try refusal(entry, of: reader, trusting: [ada.publicKey], isOffline: true) == nil)
  }

  @Test func theCacheKeepsNoSignaturesOfCommitsThatAreGone() throws {
    let server = BucketServer()
    let ada = try key("ada")
    let writer = try catalog(server)
    let first = try push("one", to: writer, signedWith: [ada.key])
    let second = try push("two", to: writer, signedWith: [ada.key])
    #expect(writer.cache.pruneSignatures().files == 0)
    _ = writer.cache.prune(unusedSince: .distantFuture, keeping: [second.commit])
    let removed = writer.cache.pruneSignatures()
    #expect(removed.files == 1 && removed.bytes > 100)
    #expect(try refusal(second, of: writer, trusting: [ada.publicKey], isOffline: true) == nil)
    #expect(try refusal(first, of: writer, trusting: [ada.publicKey]) == nil)
  }

  @Test func aSignatureOfSomethingElseIsRefused() throws {
    let server = BucketServer()
    let (ada, bob) = (try key("ada"), try key("bob"))
    let writer = try catalog(server)
    let first = try push("one", to: writer, signedWith: [ada.key, bob.key])
    let signatures = server.paths.filter { $0.hasSuffix(".sig") }
    #expect(signatures.count == 2)
    let digests = try [ada, bob].map { try PublicKey(contentsOf: $0.publicKey).digest.hexadecimal }
    let texts = try digests.map { digest in
      let path = try #require(signatures.first { $0.hasSuffix("\(digest).sig") })
      let signature = try writer.signature(
        of: first.commit, with: digest == digests[0] ? ada.key : bob.key, by: signing)
      return (path: path, armored: signature.armored)
    }
    let second = try push("two", to: writer, after: first.commit)
    let place = RemoteCatalog.key(second.commit, digests[0] + ".sig")
    // Of another commit, of another key, nothing at all, and not even text.
    for content in [texts[0].armored, texts[1].armored, Data(), Data([0xFF, 0xFE])] {
      server.replace("/stubs/team/" + place, with: content)
      let reader = try catalog(server, cache: UUID().uuidString)
      let refusal = try refusal(second, of: reader, trusting: [ada.publicKey])
      #expect(refusal?.hints.first?.hasPrefix("The signature by ada (") == true)
    }
    // Of another catalog.
    let other = try catalog(server, name: "payments")
    let theirs = try other.signature(of: second.commit, with: ada.key, by: signing)
    server.replace("/stubs/team/" + place, with: theirs.armored)
    let reader = try catalog(server, cache: "last")
    let refusal = try refusal(second, of: reader, trusting: [ada.publicKey])
    #expect(refusal?.hints.first?.contains("namespace") == true, "\(String(describing: refusal))")
    // Who signs takes the place of what keeps the signature away.
    try writer.store(
      writer.signature(of: second.commit, with: ada.key, by: signing), of: second.commit)
    #expect(try self.refusal(second, of: reader, trusting: [ada.publicKey]) == nil)
  }

  @Test func aLockFileWithAnotherCatalogThanTheSignedOneIsRefused() throws {
    let server = BucketServer()
    let ada = try key("ada")
    let writer = try catalog(server)
    let signed = try push("one", to: writer, signedWith: [ada.key])
    let other = try push("two", to: writer)
    var edited = signed
    (edited.digest, edited.bytes) = (other.digest, other.bytes)
    let error = try refusal(edited, of: writer, trusting: [ada.publicKey])
    #expect(error?.message.contains("is not that of the signed commit") == true)
  }

  @Test func anOldVersionDoesNotTakeThePlaceOfANewOne() throws {
    let server = BucketServer()
    let ada = try key("ada")
    let writer = try catalog(server)
    let first = try push("one", to: writer, signedWith: [ada.key])
    var second = try push("two", to: writer, after: first.commit, signedWith: [ada.key])
    second.keys = [try PublicKey(contentsOf: ada.publicKey)]
    let third = try push("three", to: writer, after: second.commit, signedWith: [ada.key])
    #expect(try writer.signer(of: third.commit, after: second, by: signing)?.name == "ada")
    let error = #expect(throws: RemoteError.self) {
      try writer.signer(of: first.commit, after: second, by: signing)
    }
    #expect(error?.code == .untrusted)
    second.keys = []
    #expect(try writer.signer(of: first.commit, after: second, by: signing) == nil)
  }

  @Test func aKeyThatCannotBeUsedIsAnErrorAndNoQuestion() throws {
    let writer = try catalog(BucketServer())
    let entry = try push("one", to: writer)
    let (locked, ecdsa) = (
      try key("locked", passphrase: "secret"), try key("other", type: "ecdsa")
    )
    let absent = folder.url.appendingPathComponent("absent")
    for (key, words) in [
      (locked.key, "passphrase"), (ecdsa.key, "no Ed25519 key"),
      (.file(absent), "No such file"), (.agent(try PublicKey(contentsOf: locked.publicKey)), "key"),
    ] {
      let error = #expect(throws: RemoteError.self) {
        try writer.signature(of: entry.commit, with: key, by: signing)
      }
      #expect(error?.code == .denied && error?.message.contains(words) == true, "\(error as Any)")
      #expect(error?.description.contains("secret") == false)
    }
    let missing = Signing(program: Keygen.Missing())
    let error = #expect(throws: RemoteError.self) {
      try writer.signature(of: entry.commit, with: .file(absent), by: missing)
    }
    #expect(error?.code == .unsupported)
  }

  @Test func aPersonsKeyIsMadeForItsOwnerAlone() throws {
    let keys = SigningKeyFolder(folder.url.appendingPathComponent("stubdb/signing"))
    #expect(!keys.exists)
    #expect(try keys.create(named: "-ada\n", asksForPassphrase: false, by: Keygen()) == nil)
    for (path, rights) in [(keys.url.path, 0o700), (keys.privateFile.path, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == rights)
    }
    let first = try keys.publicKey()
    let before = try #require(
      try keys.create(named: "ada", asksForPassphrase: false, by: Keygen()))
    #expect(try PublicKey(contentsOf: before.appendingPathExtension("pub")) == first)
    #expect(try !keys.publicKey().isSame(as: first))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: keys.url.deletingLastPathComponent().path)
    #expect(names.count == 2)
  }
}
