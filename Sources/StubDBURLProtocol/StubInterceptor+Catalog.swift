public import StubDBCatalog
public import StubDBPlayback

extension StubInterceptor {
  /// Loads a scenario by its name, with the overlays of the options, and begins a run of it.
  ///
  /// - Throws: `CatalogError` if the catalog does not have it or cannot be read, or if this version cannot play it.
  public convenience init(
    _ scenario: String, in catalog: Catalog, options: PlaybackOptions = PlaybackOptions()
  ) throws(CatalogError) {
    self.init(try catalog.load(scenario, overlays: options.overlays), options: options)
  }
}
