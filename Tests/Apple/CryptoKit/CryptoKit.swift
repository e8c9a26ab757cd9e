// Names and forms are those of the systems that are stood in for.
// swift-format-ignore-file

public import Foundation

/// https://developer.apple.com/documentation/cryptokit/sha256; here to be type-checked only.
public struct SHA256: Sendable {
  public init() {}

  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public mutating func update(data: some DataProtocol) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
  public static func hash(data: some DataProtocol) -> SHA256Digest { SHA256Digest() }
  public static func hash(bufferPointer: UnsafeRawBufferPointer) -> SHA256Digest { SHA256Digest() }
}

/// https://developer.apple.com/documentation/cryptokit/sha256digest
public struct SHA256Digest: Sequence, Sendable {
  public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
