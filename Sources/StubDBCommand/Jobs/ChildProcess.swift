#if TLS
  import Dispatch
  import Foundation

  /// A command that runs on the terminal of this process, as a shell would run it.
  ///
  /// Foundation's own processes leave the group of the terminal, which then neither interrupts them nor lets them read.
  struct ChildProcess {
    private let words: [String]
    private let environment: [String: String]

    init(_ words: [String], _ environment: [String: String]) {
      (self.words, self.environment) = (words, environment)
    }

    /// Runs the command to its end, and returns its exit code: that of a shell if a signal ended it.
    ///
    /// - Throws: ``CommandError`` if it cannot be started.
    func run() throws -> Int32 {
      let process = try start()
      let forwarding = [SIGTERM, SIGINT].map { number in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { @Sendable in
          // A terminal interrupts all processes of its group.
          if number == SIGTERM || isatty(STDIN_FILENO) == 0 { kill(process, number) }
        }
        source.activate()
        return source
      }
      defer { for source in forwarding { source.cancel() } }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let number = status & 0x7F
      return number == 0 ? (status >> 8) & 0xFF : 128 + number
    }

    private func start() throws -> pid_t {
      var attributes = Self.attributes()
      defer { posix_spawnattr_destroy(&attributes) }
      var arguments = words.map { strdup($0) } + [nil]
      var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in arguments + variables { free(text) } }
      var process = pid_t()
      let code = posix_spawnp(&process, words[0], nil, &attributes, &arguments, &variables)
      guard code == 0 else {
        throw CommandError(
          "cannot run \(TerminalText.quoted(words[0])): \(String(cString: strerror(code)))")
      }
      return process
    }

    #if canImport(Darwin)
      private typealias Attributes = posix_spawnattr_t?
    #else
      private typealias Attributes = posix_spawnattr_t
    #endif

    /// Signals do what they do by default: this process ignores some of them.
    private static func attributes() -> Attributes {
      #if canImport(Darwin)
        var attributes: Attributes
      #else
        var attributes = Attributes()
      #endif
      posix_spawnattr_init(&attributes)
      var (usual, mask) = (sigset_t(), sigset_t())
      sigemptyset(&mask)
      sigemptyset(&usual)
      for number in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&usual, number) }
      posix_spawnattr_setsigdefault(&attributes, &usual)
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
      return attributes
    }
  }
#endif
