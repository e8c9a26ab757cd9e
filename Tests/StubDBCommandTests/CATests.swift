import Foundation
import StubDBTestSupport
import Testing

struct CATests {
  #if TLS
    @Test func anAuthorityIsMadeOnceAndShown() throws {
      let box = try Sandbox()
      #expect(try box.run("ca", "show").code == 2)
      let path = try box.run("ca", "path")
      #expect(path.code == 0 && path.err.contains("stubdb ca create"))
      let made = try box.run("ca", "create")
      #expect(made.code == 0 && made.out == path.out, "\(made)")
      let again = try box.run("ca", "create")
      #expect(again.code == 1 && again.err.contains("stubdb ca create --replace"), "\(again)")
      let shown = try box.run("ca", "show")
      #expect(shown.code == 0 && shown.out.contains("  certificate  \(path.out)"), "\(shown)")
      try firstMatch(of: /SHA-256 {6}([0-9A-F]{2}:){31}[0-9A-F]{2}\n/, in: shown.out)
      let replaced = try box.run("ca", "create", "--replace")
      #expect(replaced.code == 0)
      #expect(try box.run("ca", "show").out != shown.out)
    }

    @Test func ofSeveralThatAreMadeAtOnceOneStays() throws {
      let box = try Sandbox()
      let atOnce = { (options: String) in
        """
        for n in 1 2 3 4; do
          (stubdb ca create\(options) > out$n 2> err$n; echo $? > code$n) &
        done
        wait
        cat code1 code2 code3 code4 | sort | tr -d '\\n'
        """
      }
      let made = try box.shell(atOnce(""))
      #expect(made.out == "0111", "\(made)")
      let shown = try box.run("ca", "show")
      #expect(shown.code == 0)
      let replaced = try box.shell(atOnce(" --replace"))
      #expect(replaced.out == "0000", "\(replaced)")
      #expect(try box.run("ca", "show").code == 0)
      let path = try box.run("ca", "path").out.trimmingCharacters(in: .newlines)
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: folder.deletingLastPathComponent().path) == ["ca"])
    }

    @Test func theCertificateIsExportedAndTheKeyIsNot() throws {
      let box = try Sandbox()
      let printed = try box.run("ca", "export")
      #expect(printed.code == 0 && printed.err.hasPrefix("Made a certificate authority: "))
      #expect(printed.out.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
      #expect(!printed.out.contains("PRIVATE"))
      #expect(try box.run("ca", "export", "ca.pem") == CommandResult(out: ""))
      #expect(try box.read("ca.pem") == printed.out)
    }

    @Test func whatTheSystemIsToldCanBeSeenFirst() throws {
      let box = try Sandbox()
      let path = try box.run("ca", "path").out.trimmingCharacters(in: .newlines)
      let trust = try box.run("ca", "trust", "--dry-run")
      #expect(trust.code == 0 && trust.out.contains(" '\(path)'"), "\(trust)")
      let simulator = try box.run("ca", "trust", "--simulator", "--dry-run")
      #expect(simulator.out == "xcrun simctl keychain booted add-root-cert '\(path)'\n")
      let untrust = try box.run("ca", "untrust", "--dry-run")
      #expect(untrust.code == 0 && !untrust.out.isEmpty, "\(untrust)")
      // Nothing was made to be looked at.
      #expect(trust.err.contains("no certificate authority yet"))
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aKeyThatOthersCanReadIsNotUsed() throws {
      let box = try Sandbox.shop()
      _ = try box.run("ca", "create")
      let certificate = try box.run("ca", "path").out.trimmingCharacters(in: .newlines)
      let key = certificate.replacing("ca.pem", with: "ca-key.pem")
      try FileManager.default.setAttributes(
        [.posixPermissions: NSNumber(value: 0o644)], ofItemAtPath: key)
      for words in [["ca", "show"], ["serve", "checkout/paid", "--tls"]] {
        let result = try box.run(executable: Sandbox.binary, arguments: words)
        #expect(result.code == 1 && result.err.contains("others may read"), "\(result)")
      }
    }
  #else
    @Test func aBuildWithoutTLSSaysHowToGetIt() throws {
      let result = try Sandbox().run("ca", "create")
      #expect(result.code == 1 && result.out == "")
      #expect(result.err.contains("  scripts/install ~/.local\n"))
    }
  #endif
}
