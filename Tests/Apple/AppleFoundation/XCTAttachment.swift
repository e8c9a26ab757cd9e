// swift-format-ignore-file
// What XCTest has on Apple's systems and lacks on Linux, as far as StubDBTesting uses it.

public import Foundation
public import XCTest

/// https://developer.apple.com/documentation/xctest/xctattachment
public class XCTAttachment {
  public enum Lifetime { case keepAlways, deleteOnSuccess }

  public var name: String?
  public var lifetime = Lifetime.deleteOnSuccess

  public init(data payload: Data, uniformTypeIdentifier identifier: String) {}
}

extension XCTestCase {
  public func add(_ attachment: XCTAttachment) {}
}
