/// Content that does not have the coding it is said to have.
package struct ContentDecodingError: Error, CustomStringConvertible {
  /// What is wrong, as a sentence without its end.
  package let description: String
}
