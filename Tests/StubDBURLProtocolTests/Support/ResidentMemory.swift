import Foundation

/// What this process has in memory.
enum ResidentMemory {
  /// The number of bytes; nil if the system has no file that says it.
  static var byteCount: Int? {
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * pageSize }
  }
}
