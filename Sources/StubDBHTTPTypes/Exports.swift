// What the methods of a session that it shares with other playbacks take and return.

@_exported public import struct StubDBCatalog.Catalog
@_exported public import struct StubDBCatalog.CatalogError
@_exported public import struct StubDBEngine.LoadedScenario
@_exported public import struct StubDBEngine.ServeEvent
@_exported public import struct StubDBEngine.StubRequest
@_exported public import struct StubDBEngine.UnmatchedReport
@_exported public import struct StubDBEngine.VerificationError
@_exported public import struct StubDBModel.RequestPattern
@_exported public import struct StubDBModel.ScenarioName
@_exported public import protocol StubDBModel.ScenarioNaming
@_exported public import struct StubDBModel.StubResponse
@_exported public import struct StubDBPlayback.CallbackEvent
@_exported public import struct StubDBPlayback.ClosureRegistration
@_exported public import struct StubDBPlayback.Pace
@_exported public import struct StubDBPlayback.PlaybackOptions
@_exported public import protocol StubDBPlayback.ScenarioPlayback
@_exported public import struct StubDBPlayback.UnmatchedPolicy
