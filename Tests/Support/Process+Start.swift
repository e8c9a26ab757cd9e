public import Foundation

extension Process {
  /// Starts the program with no signal blocked, as a shell does.
  ///
  /// Tests run on threads of Dispatch, which block most signals, and a program inherits that: a shell that waits for programs
  /// of its own never hears that they have ended.
  public func start() throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}
