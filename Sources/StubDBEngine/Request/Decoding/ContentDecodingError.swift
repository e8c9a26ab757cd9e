/// Reports content that does not have its declared coding.
package struct ContentDecodingError: Error, CustomStringConvertible {
  /// A sentence without its period.
  package let description: String
}
