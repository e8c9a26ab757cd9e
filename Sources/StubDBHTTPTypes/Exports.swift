// The methods that a session shares with other playbacks.
@_exported public import StubDBPlayback
