public import Foundation

/// Runs the closure with a new, empty folder, which is removed afterwards.
public func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Makes an empty folder, which the caller removes.
///
/// It is not the system's temporary folder itself, where a `stubdb` that searches upward would find a catalog of a test.
public func makeTemporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("stubdb-test-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}
