package import Foundation

/// A program of this machine, with its arguments.
///
/// It is started by posix_spawn(3). Foundation's processes (Swift 6.3 on Linux) leave the process group of the terminal,
/// which then neither interrupts them nor lets them read; they and their pipes end this process if too few files may be
/// open; and waiting for them polls.
package struct Program: Sendable {
  /// What a standard stream of the program is connected to.
  package enum Stream {
    /// The same as that of this process.
    case inherited
    /// Nothing: reading ends at once, and what is written is dropped.
    case nothing
    case pipe
    case file(FileHandle)
  }

  /// How a program ended, with what it wrote to its pipes.
  package struct End: Sendable {
    /// Its exit code: that of a shell if a signal ended it.
    package let code: Int32
    package let isCrash: Bool
    package fileprivate(set) var output = Data()
    package fileprivate(set) var errors = Data()

    fileprivate init(status: Int32) {
      let signal = status & 0x7F
      isCrash = signal != 0
      code = isCrash ? 128 + signal : (status >> 8) & 0xFF
    }
  }

  /// The program and its arguments; one without a slash is looked for on the PATH of this process.
  package var words: [String]
  package var environment: [String: String]

  /// Held from making pipes to the start: the ends of this process are kept from other programs only afterwards.
  private static let starting = NSLock()

  package init(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.words, self.environment) = (words, environment)
  }

  /// Runs the program to its end, and reads its pipes.
  package func run(
    input: Stream = .nothing, output: Stream = .pipe, errors: Stream = .pipe
  ) throws(JobError) -> End {
    let running = try start(input: input, output: output, errors: errors)
    let contents = try running.contents()
    var end = running.wait()
    (end.output, end.errors) = contents
    return end
  }

  /// Runs the program on the terminal of this process, as a shell would run it, and returns its exit code.
  package func runOnTerminal() throws(JobError) -> Int32 {
    let running = try start(input: .inherited, output: .inherited, errors: .inherited)
    let id = running.id
    let forwarding = [SIGTERM, SIGINT].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        // A terminal interrupts all processes of its group.
        if number == SIGTERM || isatty(STDIN_FILENO) == 0 { kill(id, number) }
      }
      source.activate()
      return source
    }
    defer { for source in forwarding { source.cancel() } }
    return running.wait().code
  }

  /// Starts the program.
  ///
  /// - Throws: `JobError` with `notFound` if it is not installed, and with `program` otherwise.
  package func start(
    input: Stream = .nothing, output: Stream = .pipe, errors: Stream = .inherited
  ) throws(JobError) -> RunningProgram {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    var actions = SpawnActions()
    defer { actions.end() }
    let ours = (
      try actions.connect(STDIN_FILENO, to: input), try actions.connect(STDOUT_FILENO, to: output),
      try actions.connect(STDERR_FILENO, to: errors)
    )
    var attributes = SpawnActions.attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id = pid_t()
    let code = posix_spawnp(
      &id, words[0], &actions.actions, &attributes, &arguments, &variables)
    guard code == 0 else {
      throw JobError(
        code == ENOENT ? .notFound : .program,
        "cannot run \(quoted: words[0]): \(String(cString: strerror(code)))")
    }
    return RunningProgram(id: id, input: ours.0, output: ours.1, errors: ours.2)
  }
}

/// A program that was started.
package final class RunningProgram {
  fileprivate let id: pid_t
  /// Where its standard input is written; nil if it has no pipe.
  package let input: FileHandle?
  package let output: FileHandle?
  private let errors: FileHandle?
  /// What was read of its only pipe, and not returned yet.
  private var buffer = Data()

  fileprivate init(id: pid_t, input: FileHandle?, output: FileHandle?, errors: FileHandle?) {
    (self.id, self.input, self.output, self.errors) = (id, input, output, errors)
  }

  /// Writes to its standard input.
  ///
  /// A program that ended early is an error, and no signal, which would end this process.
  package func write(_ data: Data) throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    try input?.write(contentsOf: data)
  }

  package func send(_ signal: Int32) { kill(id, signal) }

  /// The next line that it writes to its only pipe, without the line feed; nil after the last whole one.
  package func nextLine() -> Data? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return Data(buffer[..<end])
      }
      guard fill() else { return nil }
    }
  }

  /// The next bytes that it writes to its only pipe; nil if it ends before.
  package func next(_ count: Int) -> Data? {
    while buffer.count < count {
      guard fill() else { return nil }
    }
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }

  private func fill() -> Bool {
    let piece = (output ?? errors)?.availableData ?? Data()
    buffer += piece
    return !piece.isEmpty
  }

  /// Closes its standard input, and waits for its end; only one caller may wait, and once.
  package func wait() -> Program.End {
    try? input?.close()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return Program.End(status: status)
  }

  /// What it writes to its pipes, read concurrently: one that fills the second pipe would otherwise wait for this process,
  /// which waits for the end of the first.
  fileprivate func contents() throws(JobError) -> (output: Data, errors: Data) {
    var contents = [Data(), Data()]
    // `poll` ignores negative descriptors.
    var open = [output, errors].map {
      pollfd(fd: $0?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while open.contains(where: { $0.fd >= 0 }) {
      guard poll(&open, nfds_t(open.count), -1) >= 0 || errno == EINTR else { throw failure() }
      for index in open.indices where open[index].fd >= 0 && open[index].revents != 0 {
        let count = read(open[index].fd, &buffer, buffer.count)
        if count > 0 {
          contents[index].append(contentsOf: buffer[..<count])
        } else if count == 0 {
          open[index].fd = -1
        } else if errno != EINTR && errno != EAGAIN {
          throw failure()
        }
      }
    }
    return (contents[0], contents[1])
  }

  private func failure() -> JobError {
    JobError(
      .program, "cannot read what a program printed: \(String(cString: strerror(errno)))")
  }
}

/// What posix_spawn(3) does with the streams and the folder of a program.
private struct SpawnActions {
  #if canImport(Darwin)
    typealias Actions = posix_spawn_file_actions_t?
    typealias Attributes = posix_spawnattr_t?
  #else
    typealias Actions = posix_spawn_file_actions_t
    typealias Attributes = posix_spawnattr_t
  #endif

  var actions: Actions
  /// The ends of pipes that the program has, which are closed here once it was started.
  private var theirs: [Int32] = []

  init() {
    #if canImport(Darwin)
      actions = nil
    #else
      actions = Actions()
    #endif
    posix_spawn_file_actions_init(&actions)
  }

  mutating func end() {
    for descriptor in theirs { close(descriptor) }
    posix_spawn_file_actions_destroy(&actions)
  }

  /// Connects a stream of the program; returns this process's end of a pipe.
  mutating func connect(
    _ descriptor: Int32, to stream: Program.Stream
  ) throws(JobError) -> FileHandle? {
    let isInput = descriptor == STDIN_FILENO
    switch stream {
    case .inherited: return nil
    case .nothing:
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "/dev/null", isInput ? O_RDONLY : O_WRONLY, 0)
      return nil
    case .file(let handle):
      posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
      return nil
    case .pipe:
      let (reading, writing) = try Self.pipe()
      theirs.append(isInput ? reading : writing)
      posix_spawn_file_actions_adddup2(&actions, isInput ? reading : writing, descriptor)
      return FileHandle(fileDescriptor: isInput ? writing : reading, closeOnDealloc: true)
    }
  }

  /// A pipe that no other program inherits.
  private static func pipe() throws(JobError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      throw JobError(
        .program, "too few files may be open for another program to be started (see: ulimit -n)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Signals do what they do by default: this process ignores some of them.
  static func attributes() -> Attributes {
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

extension Program {
  /// Finds the file of a program.
  package typealias Location = @Sendable () throws(JobError) -> URL

  /// `stubdb-fetch` at a place.
  ///
  /// It writes no trace of a crash, which may have parts of answers.
  package static func fetching(_ url: URL, _ arguments: [String] = []) -> Program {
    var program = Program([url.path] + arguments)
    program.environment["SWIFT_BACKTRACE"] = "enable=no"
    return program
  }
}
