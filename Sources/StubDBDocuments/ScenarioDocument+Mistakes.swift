package import Foundation
internal import StubDBJSON
package import StubDBModel

extension ScenarioDocument {
  /// The largest text in which more than the first error is looked for, because each of them needs another pass.
  private static let largestText = 1 << 20

  /// The errors of a text that ``decodeStubs(_:file:readFile:)`` refuses, in the order in which decoding meets them.
  ///
  /// Decoding ends with the first error. What it refuses is taken out and the rest decoded again, so that there is one
  /// reader only. What may be a consequence of what was taken out is not reported.
  ///
  /// Empty if the text is a document; at most `limit` errors.
  package static func mistakes(
    in text: Data, file: String? = nil, atMost limit: Int = 10,
    readFile: @escaping (String) throws -> Data = refuseFile
  ) -> [DocumentError] {
    var errors: [DocumentError] = []
    guard text.count <= largestText, let value = try? JSONValue(parsing: text) else {
      do {
        _ = try decodeStubs(text, file: file, readFile: readFile)
      } catch {
        errors.append(error)
      }
      return errors
    }
    var rest = DocumentRest(value)
    while errors.count < limit, var error = rest.error(readFile) {
      let place = error.pointer
      error.pointer = rest.original(place)
      if rest.isIndependent(error) {
        error.file = file
        error.line = JSONPlaceFinder.line(of: error.pointer, in: text)
        errors.append(error)
      }
      guard rest.remove(place, error) else { break }
    }
    return errors
  }
}

/// A document without the values that were refused.
private struct DocumentRest {
  private var value: JSONValue
  /// What was taken out, by its place in the whole document.
  private var removed: [DocumentError] = []
  /// The elements that were taken out of lists: their indices in the whole document, ascending.
  private var removedElements: [[String]: [Int]] = [:]

  init(_ value: JSONValue) {
    self.value = value
  }

  /// The first error of what is left.
  func error(_ readFile: @escaping (String) throws -> Data) -> DocumentError? {
    do {
      _ = try DocumentNode(
        value: value, place: .root(JSONPointer()),
        context: DocumentContext(validation: .full, rules: WholeDocument(readFile: readFile))
      ).content()
      return nil
    } catch {
      return error
    }
  }

  /// The place in the whole document of a place in what is left.
  func original(_ place: JSONPointer) -> JSONPointer {
    var tokens: [String] = []
    for token in place.tokens {
      if var index = Int(token), let gone = removedElements[tokens] {
        for other in gone where other <= index { index += 1 }
        tokens.append(String(index))
      } else {
        tokens.append(token)
      }
    }
    return JSONPointer(tokens)
  }

  /// Whether the error cannot have come from taking something out.
  ///
  /// An object or list may now lack something, and a value may have lost the one that it goes with.
  func isIndependent(_ error: DocumentError) -> Bool {
    let tokens = error.pointer.tokens
    return removed.allSatisfy { other in
      let gone = other.pointer.tokens
      if gone.starts(with: tokens) { return false }
      return error.code != .conflict || gone.dropLast() != tokens.dropLast()
    }
  }

  /// Takes out the value at a place, or the nearest one around it; false if only the whole document is left.
  mutating func remove(_ place: JSONPointer, _ error: DocumentError) -> Bool {
    var tokens = place.tokens
    while !tokens.isEmpty {
      if let element = Self.remove(tokens[...], from: &value) {
        let gone = original(JSONPointer(tokens)).tokens
        if element, let index = gone.last.flatMap(Int.init) {
          removedElements[gone.dropLast(), default: []].append(index)
          removedElements[gone.dropLast()]?.sort()
        }
        var error = error
        error.pointer = JSONPointer(gone)
        removed.append(error)
        return true
      }
      tokens.removeLast()
    }
    return false
  }

  /// Returns whether the value was an element of a list; nil if there is no such value.
  private static func remove(
    _ tokens: ArraySlice<String>, from value: inout JSONValue
  ) -> Bool? {
    guard let token = tokens.first else { return nil }
    let isLast = tokens.count == 1
    switch value {
    case .object(var members):
      guard var member = members[token] else { return nil }
      var element: Bool? = false
      if isLast {
        members[token] = nil
      } else {
        element = remove(tokens.dropFirst(), from: &member)
        members[token] = member
      }
      value = .object(members)
      return element
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return nil }
      var element: Bool? = true
      if isLast {
        elements.remove(at: index)
      } else {
        element = remove(tokens.dropFirst(), from: &elements[index])
      }
      value = .array(elements)
      return element
    default:
      return nil
    }
  }
}
