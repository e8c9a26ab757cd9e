#if TLS
import Foundation
import StubDBServer

/// A certificate authority of one test, and the file that its clients trust.
final class TestAuthority {
  let authority: CertificateAuthority
  let file: URL

  convenience init() throws {
    try self.init(CertificateAuthority())
  }

  init(_ authority: CertificateAuthority) throws {
    self.authority = authority
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-test-\(UUID().uuidString).pem")
    try Data(authority.certificatePEM.utf8).write(to: file)
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }
}
#endif
