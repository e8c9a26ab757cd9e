import Foundation
import ShopApp
import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The app as a UI test or a preview starts it: STUBDB_CATALOG and STUBDB_SCENARIO say what the network answers; without
// them it is the real one.
let interceptor = try StubInterceptor.fromEnvironment()
let session = interceptor?.urlSession() ?? .shared
let shop = ShopClient(session: session)
do {
  let charge = try await shop.charge(amount: 1200)
  print("charged: \(charge.id)")
} catch {
  print("not charged: \(error)")
}
