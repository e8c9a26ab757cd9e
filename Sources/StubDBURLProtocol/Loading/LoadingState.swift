import StubDBPlayback

/// Where one protocol instance is between the first `startLoading` and the end of its answer.
///
/// `URLSession` calls `startLoading` again after `suspend()` and `resume()`, after a second `resume()`, and on Linux
/// whenever there is something to tell; `stopLoading` comes for a suspension as well as for the end.
/// Decides only: each change says what the protocol has to do.
struct LoadingState {
  private enum State {
    case new
    case loading(Loading)
    /// The client was told the end.
    case finished(Exchange?)
  }

  /// What is known while the answer is under way.
  private struct Loading {
    /// What the client is to be told now, in order.
    var events: [ClientEvent] = []
    /// Nothing is to be told until the next start.
    var isStopped = false
    /// Whether the client's thread is on its way or at work, so that it must not be called.
    ///
    /// On Linux calling it once more after the end is a fatal error until Foundation has noticed the end.
    var isClientComing = false
    /// What carries the answer out elsewhere; nil as long as the client's thread does.
    var exchange: Exchange?
    /// The request that is being answered, where that happens elsewhere.
    var hop: RequestHop?

    mutating func append(_ event: ClientEvent) {
      // Nothing follows the end.
      if events.last?.isLast != true { events.append(event) }
    }
  }

  private var state = State.new

  enum StartAction { case decide, deliver }

  /// `startLoading` was called.
  mutating func start() -> StartAction {
    switch state {
    case .new:
      state = .loading(Loading())
      return .decide
    case .loading(var loading):
      loading.isStopped = false
      state = .loading(loading)
      return .deliver
    case .finished:
      return .deliver
    }
  }

  /// `stopLoading` was called.
  mutating func stop() {
    change { $0.isStopped = true }
  }

  /// There is something to tell, and this is the client's thread, which tells it next.
  mutating func append(_ event: ClientEvent) {
    change { $0.append(event) }
  }

  enum ArrivalAction { case callClient, nothing }

  /// There is something to tell, and this is another thread.
  mutating func arrive(_ event: ClientEvent) -> ArrivalAction {
    change { loading in
      loading.append(event)
      guard !loading.isClientComing else { return .nothing }
      loading.isClientComing = true
      return .callClient
    } ?? .nothing
  }

  enum DeliveryAction {
    case tell(ClientEvent)
    case tellLast(ClientEvent)
    case nothing
  }

  /// The client's thread is there.
  mutating func deliver() -> DeliveryAction {
    guard case .loading(var loading) = state else { return .nothing }
    guard !loading.isStopped, !loading.events.isEmpty else {
      loading.isClientComing = false
      state = .loading(loading)
      return .nothing
    }
    loading.isClientComing = true
    let event = loading.events.removeFirst()
    guard event.isLast else {
      state = .loading(loading)
      return .tell(event)
    }
    state = .finished(loading.exchange)
    return .tellLast(event)
  }

  /// What carries the answer out elsewhere; nil as long as the client's thread does.
  var exchange: Exchange? {
    switch state {
    case .new: nil
    case .loading(let loading): loading.exchange
    case .finished(let exchange): exchange
    }
  }

  /// The request that is being answered elsewhere.
  var hop: RequestHop? {
    if case .loading(let loading) = state { loading.hop } else { nil }
  }

  /// From now on the answer is carried out elsewhere.
  mutating func handOver(to exchange: Exchange) {
    change { $0.exchange = exchange }
  }

  /// The request that is being answered elsewhere from now on.
  mutating func answer(_ hop: RequestHop) {
    change { $0.hop = hop }
  }

  private mutating func change<Result>(_ body: (inout Loading) -> Result) -> Result? {
    guard case .loading(var loading) = state else { return nil }
    // Taken out, or its list of events would be copied.
    state = .new
    defer { state = .loading(loading) }
    return body(&loading)
  }
}
