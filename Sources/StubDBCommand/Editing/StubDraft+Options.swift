import Foundation
import StubDBCatalogEditing
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBPublishing

// Drafts of stubs are made of options, and their mistakes name the option.
extension StubDraft {
  mutating func apply(_ options: RequestOptions) throws {
    apply(try options.change(options.when.map(PatternArgument.init)))
  }

  mutating func apply(_ options: ResponseOptions, toResponse index: Int) throws {
    apply(try options.change(), toResponse: index)
  }

  /// The stub.
  ///
  /// Files of bodies are read from the current folder.
  /// - Throws: ``UsageError`` with the option whose value is not allowed.
  func stub() throws -> CheckedStub {
    do throws(DocumentError) {
      return try checked { try DocumentSource.bytes(at: CatalogLocator().resolve($0)) }
    } catch {
      guard let option = option(at: error.pointer) else { throw error }
      if option == PatternArgument.option {
        let place = JSONPointer(Array(error.pointer.tokens.dropFirst()))
        throw UsageError("\(option): \(place): \(error.message)")
      }
      if option == "--method", error.message.contains(",") {
        throw UsageError("\(option): \(error.message). \(RequestOptions.severalMethods)")
      }
      if error.code == .unreadableFile { throw CommandError("\(option): \(error.message)") }
      throw UsageError("\(option): \(error.message)")
    }
  }

  /// The error for a problem of the stub, with the option whose value it is.
  func error(for problem: WriteCheck.Problem) -> any Error {
    guard let option = option(at: problem.pointer) else {
      return CommandError("\(problem.pointer) of the stub: \(problem.reason)")
    }
    return UsageError("\(option): \(problem.reason)")
  }

  /// The option that wrote the value at a place.
  private func option(at pointer: JSONPointer) -> String? {
    let tokens = pointer.tokens[...]
    if tokens.first == "request", isWritten(tokens.dropFirst()) {
      return PatternArgument.option
    }
    if hasPattern, tokens.first == "request" { return "--from-curl" }
    switch (tokens.first, tokens.dropFirst().first) {
    case ("request", "url"), ("request", "path"), ("request", "host"): return "--url"
    case ("request", "method"): return "--method"
    case ("request", "headers"): return "--when-header"
    case ("request", "query"): return "--when-query"
    case ("request", "body"): return bodyOrigin ?? "--when-body"
    case ("responses", _):
      switch tokens.dropFirst(2).first {
      case "headers": return "--header"
      case "file": return "--body-file"
      // No option writes them, but one makes templates of them.
      case "chunks", "webSocket": return "--template"
      case let name?: return "--\(name)"
      case nil: return nil
      }
    case ("key", _): return "--key"
    case ("recorded", _): return "--recorded"
    case ("summary", _): return "--summary"
    case ("priority", _): return "--priority"
    case ("then", _): return "--then"
    default: return nil
    }
  }
}
