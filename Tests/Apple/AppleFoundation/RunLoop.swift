// Names and forms are those of the systems that are stood in for.
// swift-format-ignore-file

public import CoreFoundation

// The functions of CoreFoundation as its Swift interface on Apple's systems has them, over the same run loop, which
// Foundation on Linux has inside. https://developer.apple.com/documentation/corefoundation/cfrunloop

public typealias CFString = CoreFoundation.CFString
public typealias CFRunLoop = CoreFoundation.CFRunLoop
/// What `as CFArray` bridges an array of Swift to on Apple's systems.
public typealias CFArray = [CFString]

/// https://developer.apple.com/documentation/corefoundation/cfrunloopmode
public struct CFRunLoopMode: RawRepresentable {
  public let rawValue: CFString

  public init(rawValue: CFString) {
    self.rawValue = rawValue
  }

  public static var defaultMode: CFRunLoopMode! { CFRunLoopMode(rawValue: kCFRunLoopDefaultMode) }
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloopgetcurrent()
public func CFRunLoopGetCurrent() -> CFRunLoop! { CoreFoundation.CFRunLoopGetCurrent() }

/// https://developer.apple.com/documentation/corefoundation/cfrunloopcopycurrentmode(_:)
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
  CoreFoundation.CFRunLoopCopyCurrentMode(loop).map(CFRunLoopMode.init(rawValue:))
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloopperformblock(_:_:_:)
public func CFRunLoopPerformBlock(_ loop: CFRunLoop!, _ modes: CFArray!, _ block: (() -> Void)!) {
  var values = modes.map { UnsafeRawPointer?(Unmanaged.passUnretained($0).toOpaque()) }
  withExtendedLifetime(modes) {
    let array = CFArrayCreate(nil, &values, values.count, nil)
    CoreFoundation.CFRunLoopPerformBlock(loop, array, block)
  }
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloopwakeup(_:)
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) { CoreFoundation.CFRunLoopWakeUp(loop) }

/// https://developer.apple.com/documentation/corefoundation/cfrunloopstop(_:)
public func CFRunLoopStop(_ loop: CFRunLoop!) { CoreFoundation.CFRunLoopStop(loop) }
