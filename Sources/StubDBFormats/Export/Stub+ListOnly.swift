internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBModel

extension Stub {
  /// A stub that answers the list of the resource with the items that a run begins with; the stub itself without one.
  ///
  /// Other formats have no counterpart of what happens to the items later.
  var listOnly: Stub {
    guard resource != nil else { return self }
    var list = self
    list.request = shownRequest
    list.request.methods = [.get]
    list.resource = nil
    return list
  }
}
