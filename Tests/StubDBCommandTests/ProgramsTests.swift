import Foundation
import Testing

/// After `scripts/setup`, a minimal Debian with Swift's toolchain has all programs that scripts and tests start.
struct ProgramsTests {
  /// The shell's own commands.
  private static let builtins: Set<String> = [
    ".", ":", "[", "[[", "alias", "bg", "break", "cd", "command", "compgen", "complete", "continue",
    "declare", "dirs", "disown", "echo", "enable", "eval", "exit", "export", "false", "fg",
    "getopts",
    "hash", "jobs", "kill", "let", "local", "mapfile", "popd", "printf", "pushd", "pwd", "read",
    "readarray", "readonly", "return", "set", "shift", "shopt", "source", "test", "times", "trap",
    "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
  ]
  /// Programs of Debian's essential packages, by package, as far as we use them.
  private static let essential: [String: Set<String>] = [
    "bash": ["bash"], "dash": ["sh", "dash"], "findutils": ["find", "xargs"], "grep": ["grep"],
    "coreutils": [
      "basename", "cat", "chmod", "chroot", "cmp", "cp", "cut", "date", "dirname", "du", "env",
      "expr", "head",
      "id", "install", "ln", "ls", "mkdir", "mkfifo", "mktemp", "mv", "nice", "paste", "realpath",
      "rm",
      "rmdir", "seq", "sha256sum", "sleep", "sort", "stat", "tail", "tee", "touch", "tr", "uname",
      "uniq",
      "wc",
    ],
    "diffutils": ["cmp", "diff"], "mount": ["mount", "umount"], "mawk": ["awk"], "sed": ["sed"],
    "apt": ["apt-get"], "gzip": ["gzip"], "tar": ["tar"], "libc-bin": ["ldd"],
    "dpkg": ["dpkg", "dpkg-deb", "dpkg-query"],
  ]
  private static let toolchain: Set<String> = ["swift", "swiftc", "llvm-ar"]
  /// Programs that `scripts/setup` looks for, and can do without.
  private static let optional: Set<String> = ["pkg-config", "sudo"]

  /// The folder of the package.
  private static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder
  }()

  /// What `scripts/setup` installs for a purpose, according to its table.
  private static func installed(for purpose: String) throws -> Set<String> {
    let setup = try text("scripts/setup")
    let lines = setup.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("  \(purpose)) rows='") })
    var wanted = line.split(separator: "'")[1].split(separator: " ")
    // Tests are skipped without them.
    if purpose == "test" { wanted.append("wish") }
    var names: Set<String> = []
    for line in lines {
      let row = line.split(separator: " ")
      if row.count == 4, ["command", "tool"].contains(row[2]), wanted.contains(row[0]) {
        names.insert(String(row[3]))
      }
    }
    return names
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Our files, by path, without the folders that builds make.
  private static func files() throws -> [String] {
    let manager = FileManager.default
    var paths: [String] = []
    for top in ["scripts", ".ci", "Sources", "Tests", "Benchmarks", "Examples"] {
      let names = manager.enumerator(atPath: root.appendingPathComponent(top).path)
      while let name = names?.nextObject() as? String {
        if name.split(separator: "/").last?.hasPrefix(".build") == true {
          names?.skipDescendants()
        } else {
          paths.append("\(top)/\(name)")
        }
      }
    }
    return paths
  }

  /// The programs that a file starts, and what is set up by then; nil if it starts no programs.
  private static func programs(of path: String) throws -> (purpose: String, names: Set<String>)? {
    if path.hasSuffix(".swift") {
      let text = try text(path)
      // Most files name no program; this file contains text that looks like programs.
      guard text.contains("bin/"), !#filePath.hasSuffix(path) else { return nil }
      let names = SwiftText.programs(in: text)
      return (path.hasPrefix("Benchmarks") ? "bench" : "test", names)
    }
    guard !path.contains(".json"), !path.contains(".stubdb"),
      let text = try? text(path), text.hasPrefix("#!")
    else { return nil }
    let purpose = text.firstMatch(of: /scripts\/setup ?(\w*)\n/).map { String($0.1) }
    return (purpose.map { $0.isEmpty ? "build" : $0 } ?? "test", SwiftText.script(text))
  }

  @Test func whatIsStartedIsInAMinimalDebianOrInstalledBySetup() throws {
    let minimal = Self.essential.values.reduce(Self.builtins) { $0.union($1) }
      .union(Self.toolchain)
    var started: Set<String> = []
    for path in try Self.files() {
      guard let (purpose, names) = try Self.programs(of: path), !names.isEmpty else { continue }
      let known = try minimal.union(Self.installed(for: purpose))
      let allowed = path == "scripts/setup" ? known.union(Self.optional).union(["python3"]) : known
      let programs = Set(names.filter { !$0.contains("/") })
      started.formUnion(programs)
      #expect(
        programs.subtracting(allowed).sorted() == [],
        "\(path) starts what neither a minimal Debian has nor 'scripts/setup \(purpose)' installs")
    }
    // The collector sees through quotes, substitutions, pipes and Swift's literals.
    #expect(
      started.isSuperset(of: ["git", "python3", "sqlite3", "swift", "sed", "grep", "mktemp"]))
  }

  @Test(arguments: [
    ("a=$(one \"x$(two)\") three | four && { five; } || ! six", "one two three four five six"),
    ("if [ -x a ]; then one; elif two; then three 'four; five'; fi # six", "[ one two three"),
    ("f() { one; }\nf a\nfor x in a b; do two \"$x\"; done", "one two"),
    ("case $x in\n  a | b) one ;;\n  *) two ;;\nesac\nthree", "one two three"),
    ("x=(-a\n  b -c d)\none", "one"),
    ("one <<'END' >file\ntwo\nEND\nthree 2>&1 < <(four)", "one three four"),
    (
      "x=(a b)\ny+=(\"$(one)\")\nA=1 two --three\nexec four 'x'\nfive <<<\"six\"",
      "one two four five"
    ),
  ])
  func commandsAreFoundWhereTheyBegin(script: String, names: String) {
    #expect(
      ShellText.commands(in: script) == Set(names.split(separator: " ").map(String.init)))
  }
}

/// Programs that Swift code and scripts name.
private enum SwiftText {
  static func programs(in text: String) -> Set<String> {
    var names: Set<String> = []
    for match in text.matches(of: /"\/(?:usr\/)?s?bin\/([\w.+-]+)"/) {
      names.insert(String(match.1))
      let rest = text[match.range.upperBound...].prefix(200)
      if match.1 == "env", let next = rest.firstMatch(of: /\[\s*"([^"\\]+)"/) {
        names.insert(String(next.1))
      }
      if match.1 == "sh", let next = rest.firstMatch(of: /"-c",\s*"((?:[^"\\]|\\.)*)"/) {
        names.formUnion(ShellText.commands(in: literal(next.1)))
      }
    }
    for match in text.matches(of: /"#!((?:[^"\\\n]|\\.)*)"/) {
      names.formUnion(script("#!" + literal(match.1)))
    }
    for match in text.matches(of: /"""\n\s*#!((?:.|\n)*?)\n\s*"""/) {
      names.formUnion(script("#!" + literal(match.1)))
    }
    return names
  }

  /// A literal's text as a shell sees it; interpolations are not followed.
  private static func literal(_ source: Substring) -> String {
    String(source).replacing(/\\\([^)]*\)/, with: "$value").replacing("\\n", with: "\n")
      .replacing("\\\"", with: "\"")
  }

  /// The interpreter of a script, and what it starts.
  static func script(_ text: String) -> Set<String> {
    let words = text.prefix { $0 != "\n" }.dropFirst(2).split(separator: " ")
      .map { String($0.split(separator: "/").last ?? "") }
    let interpreter =
      words.first == "env" ? words.dropFirst().first { !$0.hasPrefix("-") } : words.first
    guard let interpreter, !interpreter.contains("$") else { return [] }
    var names: Set<String> = [interpreter]
    if interpreter.hasPrefix("python") {
      // Lists of numbers and of sentences name no programs.
      let program = /(?:subprocess\.\w+\(\s*|[^=]=\s*)\[\s*"([\w\/.+-]*[A-Za-z][\w\/.+-]*)"/
      for match in text.matches(of: program) {
        names.insert(String(match.1))
      }
    } else if interpreter.hasSuffix("sh") {
      names.formUnion(ShellText.commands(in: text))
    }
    return names
  }
}
