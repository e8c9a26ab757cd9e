internal import Foundation
package import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension Stub {
  /// The request as people read it: of a resource, that for its list.
  package var shownRequest: RequestPattern {
    guard let resource else { return request }
    var request = request
    request.path = .template(resource.path)
    return request
  }

  /// The place in the document of the stub of what is at a place in it: the items of a resource are its seed, and its
  /// path is that of its list.
  package func documentPointer(_ place: JSONPointer) -> JSONPointer {
    if resource != nil, place.tokens.starts(with: ["request", "path"]) {
      return JSONPointer(["resource", "at"])
    }
    let content = ["responses", String(responses.count - 1), "json"]
    guard resource != nil, place.tokens.starts(with: content) else { return place }
    return JSONPointer(["resource", "seed"] + place.tokens.dropFirst(content.count))
  }

  /// How many items a run of the resource begins with; nil for another stub, and if the content is in a catalog still.
  package var seedCount: Int? {
    guard resource != nil, let bytes = responses.last?.body?.bytes,
      case .array(let items)? = try? JSONValue(parsing: bytes)
    else { return nil }
    return items.count
  }

  /// The resource in words, such as `resource of 3 items after 1s`, and its rules; nil for another stub.
  package func resourcePhrase(
    _ style: PhraseStyle
  ) -> (headline: String, details: [String])? {
    guard let resource else { return nil }
    let items = seedCount.map { Plural.of($0, "item") } ?? "items"
    let delay = responses.last.flatMap { ResponsePart.delay.phrase(of: $0) }
    return ("resource of \(items)" + (delay.map { " \($0)" } ?? ""), resource.details(style))
  }
}

extension Resource {
  /// What identifies an item, and how a list is divided.
  fileprivate func details(_ style: PhraseStyle) -> [String] {
    let kind = isInteger ? "a whole number that counts up" : "a UUID for new items"
    let identifier = "id: \(style.plain(member)), \(kind)"
    guard let limit, let start else { return [identifier] }
    let size = size.map { ", \($0) items if the request does not say" } ?? ""
    return [identifier, "pages: by \(style.plain(limit)) and \(style.plain(start))\(size)"]
  }
}
