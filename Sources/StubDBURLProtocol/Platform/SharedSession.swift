import Foundation
import StubDBModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who answers for `URLSession.shared`: one interceptor at a time, since a process has one shared session.
enum SharedSession {
  private struct Holder {
    let scenario: String
    let leased: StubURLProtocol.Type
    /// What the process's storage held before.
    let cookies: [HTTPCookie]
  }

  private static let holder = Locked<Holder?>(nil)

  /// Puts the class in front of the shared session; gives the scenario that is there already, and then changes nothing.
  static func begin(_ leased: StubURLProtocol.Type, scenario: String) -> String? {
    holder.withLock { holder in
      if let holder { return holder.scenario }
      holder = Holder(
        scenario: scenario, leased: leased, cookies: HTTPCookieStorage.shared.cookies ?? [])
      register(leased)
      return nil
    }
  }

  /// Takes the class away again; nothing happens where it is not there.
  static func end(_ leased: StubURLProtocol.Type) {
    holder.withLock { holder in
      guard let current = holder, current.leased == leased else { return }
      unregister(leased)
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
    private static func register(_ leased: StubURLProtocol.Type) {
      let configuration = URLSession.shared.configuration
      configuration.protocolClasses = [leased] + (configuration.protocolClasses ?? [])
    }

    private static func unregister(_ leased: StubURLProtocol.Type) {
      URLSession.shared.configuration.protocolClasses?.removeAll { $0 == leased }
    }
  #else
    private static func register(_ leased: StubURLProtocol.Type) {
      URLProtocol.registerClass(leased)
    }

    private static func unregister(_ leased: StubURLProtocol.Type) {
      URLProtocol.unregisterClass(leased)
    }
  #endif
}
