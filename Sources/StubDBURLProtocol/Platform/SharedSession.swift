import Foundation
import StubDBModel
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who answers for `URLSession.shared`: one interceptor at a time, since a process has one shared session.
enum SharedSession {
  private struct Holder {
    let scenario: String
    let protocolClass: StubURLProtocol.Type
    /// What the process's storage held before.
    let cookies: [HTTPCookie]
  }

  private static let holder = Locked<Holder?>(nil)

  /// Puts the class in front of the shared session, where it may be already.
  ///
  /// Gives the scenario of another class that is there, and then changes nothing.
  static func begin(_ protocolClass: StubURLProtocol.Type, scenario: String) -> String? {
    holder.withLock { holder in
      if let holder { return holder.protocolClass == protocolClass ? nil : holder.scenario }
      holder = Holder(
        scenario: scenario, protocolClass: protocolClass,
        cookies: HTTPCookieStorage.shared.cookies ?? [])
      register(protocolClass)
      return nil
    }
  }

  /// Takes the class away again; nothing happens where it is not there.
  static func end(_ protocolClass: StubURLProtocol.Type) {
    holder.withLock { holder in
      guard let current = holder, current.protocolClass == protocolClass else { return }
      unregister(protocolClass)
      restore(current.cookies)
      holder = nil
    }
  }

  /// Takes the cookies of stubs out of the storage that real requests use too, and which is kept on disk.
  private static func restore(_ cookies: [HTTPCookie]) {
    let storage = HTTPCookieStorage.shared
    for cookie in storage.cookies ?? [] where !cookies.contains(cookie) {
      storage.deleteCookie(cookie)
    }
    for cookie in cookies where storage.cookies?.contains(cookie) != true {
      storage.setCookie(cookie)
    }
  }

  #if canImport(FoundationNetworking)
    // On Linux `registerClass` is only heard before the first session of the process is made, and the
    // configuration of a session is the live one.
    private static func register(_ protocolClass: StubURLProtocol.Type) {
      change { $0.insert(protocolClass, at: 0) }
    }

    private static func unregister(_ protocolClass: StubURLProtocol.Type) {
      change { $0.removeAll { $0 == protocolClass } }
    }

    /// Has the class asked about what no interceptor answers, before the classes of Foundation; once.
    static func addLast(_ protocolClass: URLProtocol.Type) {
      change { classes in
        guard !classes.contains(where: { $0 == protocolClass }) else { return }
        let end = classes.firstIndex { !($0 is StubURLProtocol.Type) } ?? classes.endIndex
        classes.insert(protocolClass, at: end)
      }
    }

    /// Other threads may read the list just now: it is replaced by another one, and those before it stay for a while.
    private static func change(_ edit: (inout [AnyClass]) -> Void) {
      replaced.withLock { replaced in
        let configuration = URLSession.shared.configuration
        let before = configuration.protocolClasses ?? []
        var classes = before
        edit(&classes)
        guard classes.count != before.count else { return }
        configuration.protocolClasses = classes
        replaced = replaced.suffix(15) + [before]
      }
    }

    private static let replaced = Locked([[AnyClass]]())
  #else
    private static func register(_ protocolClass: StubURLProtocol.Type) {
      URLProtocol.registerClass(protocolClass)
    }

    private static func unregister(_ protocolClass: StubURLProtocol.Type) {
      URLProtocol.unregisterClass(protocolClass)
    }
  #endif
}
