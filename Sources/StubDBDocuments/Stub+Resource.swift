internal import Foundation
internal import StubDBJSON
package import StubDBModel

extension Stub {
  /// The request as people read it: of a resource, that for its list.
  package var shownRequest: RequestPattern {
    guard let resource else { return request }
    var request = request
    request.path = .template(resource.path)
    return request
  }

  /// How many items a run of the resource begins with; nil for another stub, and if the content is in a catalog still.
  package var seedCount: Int? {
    guard resource != nil, let bytes = responses.last?.body?.bytes,
      case .array(let items)? = try? JSONValue(parsing: bytes)
    else { return nil }
    return items.count
  }
}
