import StubDBPlayback

/// The state of a protocol instance between the first `startLoading` and the end of its answer.
///
/// `URLSession` calls `startLoading` again after `suspend()` and `resume()`, after a second `resume()`, and on Linux
/// whenever there is an event to deliver; `stopLoading` is called for a suspension as well as at the end.
/// The state only decides: each change returns what the protocol has to do.
struct LoadingState {
  private enum State {
    case new
    case loading(Loading)
    /// The last event was delivered.
    case finished(Exchange?)
  }

  /// The state while the answer is in progress.
  private struct Loading {
    /// The events to deliver now, in order.
    var events: [ClientEvent] = []
    /// Whether delivery is suspended until the next start.
    var isStopped = false
    /// Whether the client's thread was called or is working, so that it must not be called again.
    ///
    /// On Linux, calling it again after the end is a fatal error until Foundation has noticed the end.
    var isClientComing = false
    /// What carries the answer out on another thread; nil as long as the client's thread does.
    var exchange: Exchange?
    /// The request that is being answered, if another thread does it.
    var hop: RequestHop?

    mutating func append(_ event: ClientEvent) {
      // Nothing follows the last event.
      if events.last?.isLast != true { events.append(event) }
    }
  }

  private var state = State.new

  enum StartAction { case decide, deliver }

  /// Called for `startLoading`.
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

  /// Called for `stopLoading`.
  mutating func stop() {
    change { $0.isStopped = true }
  }

  /// Adds an event on the client's thread, which delivers it next.
  mutating func append(_ event: ClientEvent) {
    change { $0.append(event) }
  }

  enum ArrivalAction { case callClient, nothing }

  /// Ends the answer with an event that is delivered at once, on the client's thread; false if it must wait for its turn.
  ///
  /// Most answers are delivered like this, without a list of events.
  mutating func finishAtOnce(with event: ClientEvent) -> Bool {
    guard event.isLast, case .loading(let loading) = state, !loading.isStopped,
      loading.events.isEmpty
    else { return false }
    state = .finished(loading.exchange)
    return true
  }

  /// Adds an event on another thread.
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

  /// Called on the client's thread.
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

  /// What carries the answer out on another thread; nil as long as the client's thread does.
  var exchange: Exchange? {
    switch state {
    case .new: nil
    case .loading(let loading): loading.exchange
    case .finished(let exchange): exchange
    }
  }

  /// The request that another thread is answering.
  var hop: RequestHop? {
    if case .loading(let loading) = state { loading.hop } else { nil }
  }

  /// Records that another thread carries the answer out from now on.
  mutating func handOver(to exchange: Exchange) {
    change { $0.exchange = exchange }
  }

  /// Sets the request that another thread is answering.
  mutating func answer(_ hop: RequestHop) {
    change { $0.hop = hop }
  }

  private mutating func change<Result>(_ body: (inout Loading) -> Result) -> Result? {
    guard case .loading(var loading) = state else { return nil }
    // Moved out, or its list of events would be copied.
    state = .new
    defer { state = .loading(loading) }
    return body(&loading)
  }
}
