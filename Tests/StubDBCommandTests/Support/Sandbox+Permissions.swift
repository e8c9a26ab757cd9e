import Foundation

extension Sandbox {
  /// Starts a program without the capabilities with which root passes permissions over.
  ///
  /// Another user could not reach the program below a home folder that only its owner may enter.
  /// https://man7.org/linux/man-pages/man2/pr_capbset_drop.2const.html
  private static let script = """
    import ctypes, os, sys
    DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2
    if os.getuid() == 0:
        for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
            if ctypes.CDLL(None).prctl(DROP, capability, 0, 0, 0) != 0:
                sys.exit(77)
    os.execv(sys.argv[1], sys.argv[1:])
    """

  /// Runs the command so that permissions bind it, even for root.
  func runBoundByPermissions(
    _ arguments: String..., in subfolder: String = ""
  ) throws -> CommandResult {
    try run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", Self.script, Self.binary.path] + arguments, in: subfolder)
  }

  /// Whether permissions can bind a program here: not for root in a container that must not drop capabilities.
  static let permissionsCanBind: Bool = {
    guard let box = try? Sandbox(), (try? box.write("closed/x", "")) != nil else { return false }
    let folder = box.folder.appendingPathComponent("closed").path
    chmod(folder, 0o000)
    defer { chmod(folder, 0o755) }
    let arguments = ["python3", "-c", script, "/bin/ls", folder]
    let result = try? box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: arguments)
    return result.map { $0.code != 0 && $0.code != 77 } ?? false
  }()
}
