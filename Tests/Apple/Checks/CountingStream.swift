import Foundation

/// A stream of a text, which counts how often it is opened and read to its end.
final class CountingStream: InputStream {
  private(set) var openings = 0
  private(set) var endings = 0
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
    super.init(data: Data())
  }

  override func open() { openings += 1 }
  override func close() {}
  override var hasBytesAvailable: Bool { !rest.isEmpty }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    // A few at a time, as the network has it.
    let part = rest.prefix(min(maxLength, 3))
    for (place, byte) in part.enumerated() { buffer[place] = byte }
    rest = rest.dropFirst(part.count)
    if part.isEmpty { endings += 1 }
    return part.count
  }
}
