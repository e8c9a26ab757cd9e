import Foundation
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The classes that are registered with `URLSession.shared`: that of one interceptor at a time, since a process has one
/// shared session, and the one that notices requests.
///
/// Both are added and removed here, under one lock, so that neither replaces the other.
enum SharedSession {
  private struct Holder {
    let scenario: String
    let protocolClass: StubURLProtocol.Type
    /// The requests of the test that has it; nil if it is not known.
    let owner: SharedRequests?
    /// The previous content of the process's cookie storage.
    let cookies: [HTTPCookie]
  }

  private struct State {
    var holder: Holder?
    /// Nil until ``addWatcher(_:)``.
    var watcher: URLProtocol.Type?
    /// The latest lists that were replaced.
    var replaced: [[AnyClass]] = []
  }

  private static let state = Locked(State())

  /// Puts the class in front of the shared session, unless it is there already.
  ///
  /// Returns the scenario of another class that is there, and then changes nothing.
  static func begin(_ protocolClass: StubURLProtocol.Type, scenario: String) -> String? {
    state.withLock { state in
      if let holder = state.holder {
        return holder.protocolClass == protocolClass ? nil : holder.scenario
      }
      state.holder = Holder(
        scenario: scenario, protocolClass: protocolClass, owner: SharedSessionWatch.requests,
        cookies: HTTPCookieStorage.shared.cookies ?? [])
      register(&state)
      return nil
    }
  }

  /// Whether the class answers the shared session for another test than that of the current task.
  ///
  /// Only known on Linux, where Foundation asks on the caller's thread.
  static func isOfAnotherTest(_ protocolClass: AnyClass) -> Bool {
    guard let requests = SharedSessionWatch.requests else { return false }
    return state.withLock { state in
      guard let holder = state.holder, holder.protocolClass == protocolClass else { return false }
      return holder.owner.map { $0 !== requests } ?? false
    }
  }

  /// Removes the class, and notes later requests as those of the test; does nothing if it is not there.
  static func end(_ protocolClass: StubURLProtocol.Type, with test: LateRequests.Ended? = nil) {
    state.withLock { state in
      guard let holder = state.holder, holder.protocolClass == protocolClass else { return }
      state.holder = nil
      register(&state, without: protocolClass)
      if let test { holder.owner?.end(test) }
      restore(holder.cookies)
    }
  }

  /// Has the class asked about requests that no interceptor answers, before Foundation's classes, for as long as the
  /// process lives.
  static func addWatcher(_ protocolClass: URLProtocol.Type) {
    state.withLock { state in
      state.watcher = protocolClass
      register(&state)
    }
  }

  /// Removes the cookies of stubs from the storage that real requests also use, and which is kept on disk.
  private static func restore(_ cookies: [HTTPCookie]) {
    let storage = HTTPCookieStorage.shared
    for cookie in storage.cookies ?? [] where !cookies.contains(cookie) {
      storage.deleteCookie(cookie)
    }
    for cookie in cookies where storage.cookies?.contains(cookie) != true {
      storage.setCookie(cookie)
    }
  }

  /// The list with the class of the holder in front, and the watcher after all classes that answer stubs.
  ///
  /// The watcher is moved if it is elsewhere: Foundation copies registered classes into the list after its own, which
  /// accept every request.
  static func arranged(
    _ classes: [AnyClass], holder: AnyClass?, watcher: AnyClass?, without removed: AnyClass? = nil
  ) -> [AnyClass] {
    var classes = classes.filter { $0 != holder && $0 != watcher && $0 != removed }
    if let watcher {
      let end = classes.firstIndex { !($0 is StubURLProtocol.Type) } ?? classes.endIndex
      classes.insert(watcher, at: end)
    }
    if let holder { classes.insert(holder, at: 0) }
    return classes
  }

  #if canImport(FoundationNetworking)
    // On Linux, `registerClass` only takes effect before the first session of the process is made, and the
    // configuration of a session is the live one.
    private static func register(_ state: inout State, without removed: AnyClass? = nil) {
      let configuration = URLSession.shared.configuration
      let before = configuration.protocolClasses ?? []
      let classes = arranged(
        before, holder: state.holder?.protocolClass, watcher: state.watcher, without: removed)
      guard !classes.elementsEqual(before, by: { $0 == $1 }) else { return }
      configuration.protocolClasses = classes
      // Other threads may be reading the old list, so it is kept for a while.
      state.replaced = state.replaced.suffix(15) + [before]
    }
  #else
    // The class that is registered last is asked first.
    private static func register(_ state: inout State, without removed: AnyClass? = nil) {
      for protocolClass in [removed, state.holder?.protocolClass, state.watcher].compactMap(\.self)
      {
        URLProtocol.unregisterClass(protocolClass)
      }
      for protocolClass in [state.watcher, state.holder?.protocolClass].compactMap(\.self) {
        URLProtocol.registerClass(protocolClass)
      }
    }
  #endif
}

/// Reports that another interceptor already intercepts `URLSession.shared`.
public struct SharedSessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scenario that was to answer.
  public let scenario: String
  /// The scenario that answers now.
  public let holder: String

  /// One sentence that says what failed, why, and what to do.
  public var description: String {
    "URLSession.shared cannot be answered by scenario \"\(scenario)\", because scenario \"\(holder)\" answers it; "
      + "a process has one shared session, so end the other interceptor first, have the tests take turns with the "
      + "trait .scenario(\"\(scenario)\", reach: .sharedSession), or hand the code under test a session of its own"
  }
}

extension HTTPCookie {
  /// The cookie without the time until which it is kept, or itself if that has passed, which removes another.
  ///
  /// The storage of the process is written to disk, where a crash would leave the cookies of stubs.
  var endingWithProcess: HTTPCookie {
    guard var properties, !isSessionOnly else { return self }
    // Linux makes no date of a `Max-Age`.
    let age = (properties[.maximumAge] as? String).flatMap(TimeInterval.init)
    guard (expiresDate?.timeIntervalSinceNow ?? age ?? 1) > 0 else { return self }
    (properties[.expires], properties[.maximumAge], properties[.discard]) = (nil, nil, "TRUE")
    return HTTPCookie(properties: properties) ?? self
  }
}
