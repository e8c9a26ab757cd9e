/// What can go wrong in the shop.
public enum ShopError: Error, Equatable {
  /// No customer is signed in.
  case notSignedIn
  /// The bank refuses the card; the seconds to wait before another try, where it says so.
  case cardDeclined(retryAfterSeconds: Int?)
  /// The server answered with a status that stands for a failure.
  case failed(status: Int)
  /// The server's answer makes no sense.
  case notUnderstood
}
