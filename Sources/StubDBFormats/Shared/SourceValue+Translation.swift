internal import StubDBJSON
internal import StubDBModel

/// What the readers of foreign formats do with the values of a stub.
extension SourceValue {
  /// Translates the members of an object one by one, as ``translate(isLenient:_:)`` says; null has no influence.
  ///
  /// - Throws: ``Untranslatable`` for another value, which `name` is the name of.
  func translateMembers(
    of name: String, isLenient: Bool, _ translate: (String, SourceValue) throws -> Void
  ) throws {
    guard isObject else { throw Untranslatable(name, "it is \(typeName)") }
    for (name, value) in members {
      guard !value.isNull else {
        value.ignore()
        continue
      }
      try value.translate(isLenient: isLenient) { try translate(name, value) }
    }
  }

  /// Translates a condition; in a lenient import, the stub matches without one that has no counterpart.
  func translate(isLenient: Bool, _ translate: () throws -> Void) throws {
    do {
      try translate()
    } catch let error as Untranslatable where isLenient {
      drop(.matcher, "\(error.name) has no counterpart; the stub matches without it")
    }
  }

  /// The member of a name, unless it is null.
  func given(_ name: String) -> SourceValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

  /// JSON, also as a text.
  ///
  /// - Throws: ``Untranslatable`` for a text that is not JSON.
  func parsedJSON(as name: String) throws -> JSONValue {
    guard isString else { return json }
    guard let json = try? JSONValue(parsing: text ?? "") else {
      throw Untranslatable(name, "its text is not JSON")
    }
    return json
  }

  /// The step of a stub in a "scenario" of WireMock, which MockServer has too; nil for a stub without a state.
  ///
  /// `requires` is the member with the state in which the stub answers, `initialState` the first one there.
  func flow(requires: String, initialState: String) -> FlowStep? {
    guard let scenario = first(of: "scenarioName"), !scenario.isEmptyText else {
      // Without a scenario a state has no effect.
      ignore("scenarioName", requires, "newScenarioState")
      return nil
    }
    func state(_ name: String) -> String? {
      // Two states must not become one.
      let names = [initialState: FlowStep.initialState, FlowStep.initialState: initialState]
      return text(name).map { names[$0] ?? $0 }
    }
    guard let name = scenario.text else { return nil }
    let flow = FlowStep(name: name, requires: state(requires), becomes: state("newScenarioState"))
    return flow.requires == nil && flow.becomes == nil ? nil : flow
  }

  /// Says that what is done after or beside the answer is not done, if it is anything.
  func dropAction(_ text: String) {
    if isScalar && (isNull || isEmptyText) || isArray && elements.isEmpty
      || isObject && members.isEmpty
    {
      ignore()
    } else {
      drop(.webhook, text)
    }
  }
}

extension SourceValue? {
  /// The value; nil without one, and for null, which is ignored.
  var orIgnoredNull: SourceValue? {
    guard let self, self.isNull else { return self }
    self.ignore()
    return nil
  }
}

extension JaywayPath {
  /// The path of a value; the report says how it is written here.
  ///
  /// - Throws: ``Untranslatable`` for a path that has no counterpart.
  static func read(
    _ value: SourceValue, as name: String, _ text: String, filteredObject: FilteredObject = .tested
  ) throws -> JaywayPath {
    guard let path = JaywayPath(text, filteredObject: filteredObject) else {
      throw Untranslatable(name, "\(text) has no counterpart in RFC 9535")
    }
    if path.isRewritten {
      value.change(.jsonPathDialect, "\(text) was rewritten as \(path.query)")
    }
    return path
  }
}
