#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StubDBSupport

  /// Cookie storages of runs that have ended, which sessions of later runs use if they are as good as new.
  ///
  /// Only `URLSessionConfiguration.ephemeral` makes such a storage on Linux. It looks for the folder of a cache each
  /// time, which takes 850,000 instructions of the 1,200,000 of a short test (swift-corelibs-foundation 6.3.1).
  final class CookieStorages: Sendable {
    /// Those of all interceptors.
    static let shared = CookieStorages()

    /// Tests that run at the same time rarely have more sessions.
    static let largestCount = 32

    /// In the order in which their runs ended.
    private let unused = Locked([HTTPCookieStorage]())

    /// A storage like a new one: nothing else refers to it, and nothing was put into it, or nil.
    func take() -> HTTPCookieStorage? {
      while let storage = takeUnshared() {
        if storage.cookies?.isEmpty != false, storage.cookieAcceptPolicy == .always {
          return storage
        }
      }
      return nil
    }

    /// The sessions of a run that has ended may still exist for a while, and a test may use its storage elsewhere.
    private func takeUnshared() -> HTTPCookieStorage? {
      unused.withLock { unused in
        for index in unused.indices where isKnownUniquelyReferenced(&unused[index]) {
          return unused.remove(at: index)
        }
        return nil
      }
    }

    /// Keeps the storages of a run that has ended; the oldest ones are let go.
    func add(_ storages: [HTTPCookieStorage]) {
      unused.withLock { unused in
        unused += storages
        unused.removeFirst(max(0, unused.count - Self.largestCount))
      }
    }
  }
#endif
