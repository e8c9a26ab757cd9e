import Foundation
import Testing

struct InstallTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../scripts/install").standardizedFileURL

  private func install(
    _ arguments: String..., in box: Sandbox, environment: [String: String] = [:]
  ) throws -> CommandResult {
    try box.run(
      executable: URL(fileURLWithPath: "/bin/bash"), arguments: [Self.script.path] + arguments,
      environment: environment)
  }

  private func files(_ box: Sandbox, below folder: String) throws -> [String] {
    let url = box.folder.appendingPathComponent(folder, isDirectory: true)
    return try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { path in
      var isFolder: ObjCBool = false
      let file = url.appendingPathComponent(path).path
      return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  @Test func everythingIsPutInPlaceAndReplaced() throws {
    let box = try Sandbox()
    // Pages of older versions that this version does not have.
    try box.write("stage/opt/x/share/man/man1/stubdb-old.1", "")
    try box.write("stage/opt/x/share/man/man1/stubdb.old.1", "")
    // As a build puts the programs beside each other; the one for pages is swift-argument-parser's.
    let programs = box.folder.appendingPathComponent("programs")
    try box.write(
      "programs/generate-manual",
      """
      #!/bin/sh
      test "$1 $2" = "--multi-page --output-directory" && "$4" --experimental-dump-help > "$3/stubdb.1"
      """, executable: true)
    for name in ["stubdb", "stubdb-fetch"] {
      try FileManager.default.linkItem(
        at: Sandbox.binary.deletingLastPathComponent().appendingPathComponent(name),
        to: programs.appendingPathComponent(name))
    }
    for stage in [box.folder.appendingPathComponent("stage").path, "stage"] {
      let result = try install(
        "--binary", "programs/stubdb", "/opt/x", in: box,
        environment: ["DESTDIR": stage])
      #expect(
        result == CommandResult(out: "Installed stubdb 0.1.0 to /opt/x/bin/stubdb\n"))
    }
    let files = try files(box, below: "stage/opt/x")
    for file in [
      "bin/stubdb", "bin/stubdb-fetch", "share/bash-completion/completions/stubdb",
      "share/man/man1/stubdb.1",
      "share/zsh/site-functions/_stubdb", "share/fish/vendor_completions.d/stubdb.fish",
    ] {
      #expect(files.contains(file))
    }
    #expect(!files.contains { $0.contains("old") })
    #expect(try box.read("stage/opt/x/share/man/man1/stubdb.1").contains("\"commandName\""))
    let version = try box.run(
      executable: box.folder.appendingPathComponent("stage/opt/x/bin/stubdb"),
      arguments: ["--version"])
    #expect(version == CommandResult(out: "0.1.0\n"))
    #expect(
      try box.read("stage/opt/x/share/zsh/site-functions/_stubdb").hasPrefix("#compdef stubdb"))
  }

  @Test func aBuildSaysHowFarItIs() throws {
    let box = try Sandbox()
    try box.write(
      "tools/swift",
      """
      #!/bin/sh
      case "$*" in
        *--show-bin-path*) echo "$BUILT" ;;
        *"--product stubdb")
          echo "Fetching https://example.com/swift-nio"
          for step in $(seq 60); do
            if [ $step -lt 30 ]; then what="CNIOBoringSSL a.c"; else what="StubDBModel A.swift"; fi
            echo "[$step/60] Compiling $what"
          done ;;
      esac
      """, executable: true)
    let result = try install(
      "here", in: box,
      environment: [
        "PATH": "\(box.folder.path)/tools:/usr/local/bin:/usr/bin:/bin",
        "BUILT": Sandbox.binary.deletingLastPathComponent().path,
      ])
    #expect(result.code == 0, "\(result)")
    // What a line says, without the time.
    let said = result.err.split(separator: "\n").map { $0.replacing(/\d+:\d\d +/, with: "") }
    for line in [
      "1 of 3: the command line", "fetching the packages that stubdb depends on",
      "20 % of the steps, now BoringSSL, for TLS and certificates",
      "100 % of the steps, now stubdb's own modules", "3 of 3: manual pages",
    ] {
      #expect(said.contains("scripts/install: \(line)"), "\(result.err)")
    }
    #expect(said.contains { $0.contains("about 15 minutes on 2 cores") })
  }

  @Test func whatWasInstalledCanBeRemoved() throws {
    let box = try Sandbox()
    try box.write("here/bin/other", "")
    _ = try install("--binary", Sandbox.binary.path, "here", in: box)
    let result = try install("--uninstall", "here", in: box)
    let place = box.folder.appendingPathComponent("here").path
    #expect(result.code == 0)
    #expect(result.out == "Removed stubdb from \(place)\n")
    #expect(result.err.contains("stubdb git install"))
    #expect(result.err.contains("stubdb git uninstall"))
    #expect(try files(box, below: "here") == ["bin/other"])
    #expect(try install("--uninstall", "here", in: box).code == 64)
  }

  @Test func filesOfAPackageAreLeftToTheSystem() throws {
    let box = try Sandbox()
    try box.write("here/bin/stubdb", "")
    try box.write("tools/dpkg", "#!/bin/sh\necho \"stubdb: $2\"\n", executable: true)
    let result = try install(
      "--uninstall", "here", in: box,
      environment: ["PATH": "\(box.folder.path)/tools:/usr/local/bin:/usr/bin:/bin"])
    #expect(result.code == 64)
    #expect(result.err.contains("the package stubdb; remove it with: apt-get remove stubdb\n"))
    #expect(try files(box, below: "here") == ["bin/stubdb"])
  }

  /// `scripts/release` takes the version from the source; the changelog and the program say the same.
  @Test func oneVersionIsSaidEverywhere() throws {
    let root = Self.script.deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: root.appendingPathComponent("Sources/StubDBCommand/ProgramVersion.swift"),
      encoding: .utf8)
    let version = try #require(
      source.split(separator: "\n").last?.split(separator: "\"").dropFirst().first)
    let box = try Sandbox()
    #expect(try box.run("--version").out == "\(version)\n")
    let changelog = try String(
      contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = changelog.split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(newest?.hasPrefix("## \(version)") == true)
  }

  @Test func aPlaceThatCannotBeMadeIsSaidBeforeABuild() throws {
    let box = try Sandbox()
    try box.write("taken", "")
    let result = try install("taken", in: box, environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 64)
    #expect(
      result.err.hasSuffix(
        "taken cannot be made; give another folder, or the right to write there\n"))
    #expect(!result.err.contains("1 of 3"))
  }

  @Test func othersCanReadWhatAPrivateUmaskInstalls() throws {
    let box = try Sandbox()
    let result = try box.run(
      executable: URL(fileURLWithPath: "/bin/bash"),
      arguments: [
        "-c", "umask 077; exec bash \"$0\" \"$@\"", Self.script.path, "--binary",
        Sandbox.binary.path, "a place/",
      ])
    let place = box.folder.appendingPathComponent("a place").path
    #expect(result.out.hasPrefix("Installed stubdb 0.1.0 to \(place)/bin/stubdb\n"), "\(result)")
    for path in ["bin", "bin/stubdb", "share/fish/vendor_completions.d"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(place)/\(path)")
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o755, "\(path)")
    }
  }

  @Test func optionsThatExcludeEachOtherAreRefused() throws {
    let box = try Sandbox()
    for words in [["--without-server", "--binary"], ["--uninstall", "--binary"]] {
      let result = try install(words[0], words[1], Sandbox.binary.path, "here", in: box)
      #expect(result.code == 64, "\(words)")
    }
    let place = box.folder.appendingPathComponent("here").path
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func withoutAPlaceItSaysHow() throws {
    let box = try Sandbox()
    #expect(try install(in: box).code == 64)
    #expect(try install("--nope", in: box).err.contains("there is no option --nope"))
    #expect(try install("--help", in: box).out.contains("Usage: scripts/install"))
    let result = try install("--binary", Sandbox.binary.path, "here", in: box)
    let bin = box.folder.appendingPathComponent("here/bin").path
    #expect(result.out.hasSuffix("To find it: export PATH=\"\(bin):$PATH\"\n"))
  }
}
