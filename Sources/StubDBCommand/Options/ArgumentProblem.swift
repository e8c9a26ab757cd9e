/// A problem with the value of an argument or with a file, as the end of a sentence.
///
/// The argument parser or the document decoder writes the beginning.
struct ArgumentProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
