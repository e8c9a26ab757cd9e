extension DocumentNode {
  package func flowStep() throws(DocumentError) -> FlowStep {
    let object = try object(.flow)
    return FlowStep(
      name: try object.required("name").line("the name of the flow"),
      requires: try object["requires"]?.line("the state"),
      becomes: try object["becomes"]?.line("the state"))
  }

  package func recording() throws(DocumentError) -> Stub.Recording {
    let object = try object(.recorded)
    let at = try object.required("at")
    let text = try at.string()
    guard let recording = Stub.Recording(at: text, from: try object["from"]?.line("the source"))
    else {
      throw at.failure(
        .invalidValue,
        "\"\(text)\" is not a date or a date-time, such as 2026-11-21 or 2026-11-21T09:30:00Z")
    }
    return recording
  }
}
