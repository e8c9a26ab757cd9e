// A session's methods are those of every playback.
@_exported public import StubDBPlayback
