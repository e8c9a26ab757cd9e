import Foundation

/// Errors as text.
enum ErrorText {
  /// The message of an error.
  static func message(for error: any Error) -> String {
    switch error {
    case let error as any CustomStringConvertible:
      return error.description
    default:
      return error.localizedDescription
    }
  }
}
