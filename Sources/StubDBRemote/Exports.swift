// The lock file, digests and the reading side of the cache are below the catalogs' layer, because loading a scenario needs
// them. Whoever imports this module gets them too.

@_exported public import StubDBLock
