package import Foundation
package import StubDBJSON
package import StubDBModel

/// Why a review decides or writes nothing.
package enum ReviewRefusal: Error {
  /// The draft has nothing of this name.
  case unknownName(String)
  /// The request of a stub does not have this place, but those.
  case unknownPlace(String, of: String, among: [JSONPointer])
  /// A stub was named without the place that is to be left free.
  case missingPlace(String)
  /// A process still records.
  case recording(process: String)
  /// The scenario changed after its proposals were shown.
  case changed(ScenarioName)
  /// A scenario cannot be read: what is taken would be lost with a catalog that has to be restored.
  case unreadableCatalog(any Error)
  /// A file of the draft cannot be removed, written or replaced, as the verb says.
  case file(String, URL)
}
