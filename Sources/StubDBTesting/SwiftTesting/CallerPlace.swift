#if canImport(Testing)
  import Testing

  #if os(Linux) && canImport(Runtime)
    import Runtime
  #endif

  /// Finds the line of a test that reads a property, since a property cannot have a `#line` argument.
  enum CallerPlace {
    #if os(Linux) && canImport(Runtime)
      /// The nearest line on the stack outside this module; nil if the program has no debug information.
      ///
      /// Takes some milliseconds.
      static func find() -> SourceLocation? {
        let ownFolder = Self.ownFolder
        guard let stack = try? Backtrace.capture(limit: 32, top: 0),
          let frames = stack.symbolicated(options: [.showSourceLocations])?.frames
        else { return nil }
        for frame in frames {
          guard let place = frame.symbol?.sourceLocation, place.path.hasSuffix(".swift"),
            !place.path.hasPrefix(ownFolder), place.line > 0
          else { continue }
          return SourceLocation(
            fileID: place.path.split(separator: "/").suffix(2).joined(separator: "/"),
            filePath: place.path, line: place.line, column: max(1, place.column))
        }
        return nil
      }

      /// The folder of this module's sources, with a trailing slash.
      private static var ownFolder: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(2).joined(separator: "/") + "/"
      }
    #else
      /// Nil, because this system cannot resolve lines while a program runs.
      static func find() -> SourceLocation? { nil }
    #endif
  }
#endif
