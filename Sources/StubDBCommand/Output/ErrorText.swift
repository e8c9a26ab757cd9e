import Foundation

/// Errors as text for people.
enum ErrorText {
  /// What went wrong.
  static func message(for error: any Error) -> String {
    switch error {
    case let error as any CustomStringConvertible:
      return error.description
    default:
      return error.localizedDescription
    }
  }
}
