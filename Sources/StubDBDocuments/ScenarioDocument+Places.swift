package import Foundation
package import StubDBJSON
import StubDBModel

extension ScenarioDocument {
  /// The place in the text of a document of what its scenario has at a place: events became chunks, and files contents.
  package static func place(_ pointer: JSONPointer, in text: Data) -> JSONPointer {
    let tokens = pointer.tokens
    func has(_ tokens: [String]) -> Bool {
      JSONPlaceFinder.offset(of: JSONPointer(tokens), in: text) != nil
    }
    guard !has(tokens) else { return pointer }
    if let index = tokens.firstIndex(of: "chunks"), index + 1 < tokens.count {
      let event = tokens[..<index] + ["events", tokens[index + 1]]
      // Which of its fields it was cannot be told any more.
      let fields = ["event", "id", "data", "json"].filter { has(event + [$0]) }
      if has(Array(event)) { return JSONPointer(event + (fields.count == 1 ? fields : [])) }
    }
    let file = tokens.dropLast() + ["file"]
    return has(Array(file)) ? JSONPointer(Array(file)) : pointer
  }
}
