public import StubDBCatalog
public import StubDBPlayback

extension StubInterceptor {
  /// Loads a scenario by its name, with the overlays of the options on top, and begins a run of it.
  ///
  /// - Throws: `CatalogError` when the catalog does not hold it or cannot be read, and `EngineError` when
  ///   it holds what this version cannot play.
  public convenience init(
    _ scenario: String, in catalog: Catalog, options: PlaybackOptions = PlaybackOptions()
  ) throws {
    self.init(try catalog.load(scenario, overlays: options.overlays), options: options)
  }
}
