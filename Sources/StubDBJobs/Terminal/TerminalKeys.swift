internal import Foundation

/// Reads single keys from the terminal at standard input: it waits for no line end and shows nothing of what is typed.
///
/// The terminal is as it was on every way out: after ``close()``, after a signal that ends the process, and while the
/// process is suspended.
package struct TerminalKeys {
  /// Something that was typed.
  package enum Key: Equatable {
    /// A character of ASCII that can be printed.
    case character(Character)
    /// Control-D.
    case end
    /// The terminal is gone.
    case gone
    /// Anything else, such as an arrow, whose bytes are not taken for keys of their own.
    case other
  }

  private static let escape: UInt8 = 0x1B

  /// Begins to read keys; nil if standard input is no terminal.
  package init?() {
    guard RawMode.save(), RawMode.begin() else { return nil }
  }

  /// Shows the text, and returns the next key.
  package func next(after prompt: String) -> Key {
    RawMode.show(prompt)
    defer { RawMode.show("") }
    guard let byte = RawMode.readByte() else { return .gone }
    if byte == Self.escape {
      RawMode.skipWaiting()
      return .other
    }
    if byte == 0x04 { return .end }
    guard (0x20..<0x7F).contains(byte) else { return .other }
    return .character(Character(UnicodeScalar(byte)))
  }

  /// Gives the terminal back while the closure runs, for an editor or a question.
  package func withUsualMode<Value>(_ body: () throws -> Value) rethrows -> Value {
    RawMode.end()
    defer { _ = RawMode.begin() }
    return try body()
  }

  /// Gives the terminal back.
  package func close() {
    RawMode.end()
  }
}

/// The mode of the terminal, which signal handlers give back.
///
/// The handlers call only what a handler may call, and read memory that is allocated before they are installed.
private enum RawMode {
  /// The signals that end the process unless it handles them.
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  // Safe to share: the memory is written by the thread that reads keys, while no handler is installed, and in handlers.
  nonisolated(unsafe) private static let usual = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// The bytes of the prompt, which a resumed process shows again.
  nonisolated(unsafe) private static let prompt =
    UnsafeMutablePointer<UInt8>.allocate(capacity: promptCapacity)
  /// How many bytes the prompt has.
  nonisolated(unsafe) private static let promptCount = UnsafeMutablePointer<Int>.allocate(
    capacity: 1)
  private static let promptCapacity = 1024

  /// Notes the usual mode; returns false if there is no terminal.
  static func save() -> Bool {
    guard tcgetattr(STDIN_FILENO, usual) == 0 else { return false }
    raw.pointee = usual.pointee
    // Signals are still typed, with the keys that the user has chosen for them.
    raw.pointee.c_lflag &= ~tcflag_t(ICANON | ECHO)
    setWait(minimum: 1, tenths: 0)
    promptCount.pointee = 0
    return true
  }

  /// Switches the terminal; returns false if that fails.
  static func begin() -> Bool {
    for number in endings { signal(number, endProcess) }
    signal(SIGTSTP, suspend)
    signal(SIGCONT, resume)
    guard tcsetattr(STDIN_FILENO, TCSANOW, raw) == 0 else {
      end()
      return false
    }
    return true
  }

  /// Gives the terminal back, and signals their usual meaning.
  static func end() {
    giveBack()
    for number in endings + [SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
  }

  /// Shows the prompt at once, and after the process was suspended.
  static func show(_ text: String) {
    promptCount.pointee = 0
    let bytes = Array(text.utf8.prefix(promptCapacity))
    for (index, byte) in bytes.enumerated() { prompt[index] = byte }
    promptCount.pointee = bytes.count
    _ = Descriptor.transfer(text, to: STDOUT_FILENO)
  }

  /// The next byte; nil at the end of the input.
  static func readByte() -> UInt8? {
    var byte: UInt8 = 0
    var count = read(STDIN_FILENO, &byte, 1)
    while count < 0 && errno == EINTR { count = read(STDIN_FILENO, &byte, 1) }
    return count == 1 ? byte : nil
  }

  /// Takes what has come already, such as the rest of a key that sends several bytes.
  static func skipWaiting() {
    setWait(minimum: 0, tenths: 1)
    tcsetattr(STDIN_FILENO, TCSANOW, raw)
    var bytes = [UInt8](repeating: 0, count: 16)
    _ = read(STDIN_FILENO, &bytes, bytes.count)
    setWait(minimum: 1, tenths: 0)
    tcsetattr(STDIN_FILENO, TCSANOW, raw)
  }

  private static func setWait(minimum: UInt8, tenths: UInt8) {
    withUnsafeMutableBytes(of: &raw.pointee.c_cc) { characters in
      characters[Int(VMIN)] = minimum
      characters[Int(VTIME)] = tenths
    }
  }

  /// A process in the background must leave the terminal to the one in front.
  private static var isInFront: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  private static func giveBack() {
    if isInFront { tcsetattr(STDIN_FILENO, TCSANOW, usual) }
  }

  private static let endProcess: @convention(c) (Int32) -> Void = { number in
    giveBack()
    _ = write(STDOUT_FILENO, "\n", 1)
    signal(number, SIG_DFL)
    raise(number)
  }

  private static let suspend: @convention(c) (Int32) -> Void = { number in
    giveBack()
    // A process that could not be resumed is not suspended by the signal's usual meaning.
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    raise(number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(number, suspend)
    if isInFront { tcsetattr(STDIN_FILENO, TCSANOW, raw) }
  }

  private static let resume: @convention(c) (Int32) -> Void = { _ in
    guard isInFront else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, raw)
    _ = write(STDOUT_FILENO, prompt, promptCount.pointee)
  }
}
