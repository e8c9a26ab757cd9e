import Foundation
import StubDBJSON
import StubDBXML

/// About how much memory the forms of a content take, estimated from its bytes before the forms are made.
enum FormMemory {
  /// A value in an array or an object, and the share of the memory around it.
  private static let valueByteCount = 64
  private static let nodeByteCount = 176

  /// The memory for JSON: each value follows a bracket or a comma.
  static func byteCount(ofJSON data: Data) -> Int {
    data.count
      + valueByteCount
      * data.withUnsafeBytes { bytes in
        count(JSONValue.maximumContentValues, in: bytes) { byte in
          byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
        }
      }
  }

  /// The memory for XML: each node follows a tag or has an equals sign.
  static func byteCount(ofXML text: String) -> Int {
    var text = text
    let nodeCount = text.withUTF8 { bytes in
      count(XMLTree.maximumNodes, in: UnsafeRawBufferPointer(bytes)) { byte in
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "=")
      }
    }
    return text.utf8.count + nodeByteCount * nodeCount
  }

  private static func count(
    _ most: Int, in bytes: UnsafeRawBufferPointer, _ isCounted: (UInt8) -> Bool
  ) -> Int {
    var (count, place) = (0, 0)
    while place < bytes.count, count < most {
      if isCounted(bytes[place]) { count &+= 1 }
      place &+= 1
    }
    return count
  }
}
