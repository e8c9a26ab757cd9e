internal import StubDBJSON
internal import StubDBModel

/// The error or the fault of a response, as what comes closest to it in WireMock.
struct WireMockFailure {
  private(set) var members: JSONObject = [:]
  /// What has no place there, for a later import.
  private(set) var origin: JSONObject = [:]
  /// The error in stubdb's words; nil for none.
  private(set) var error: JSONValue?
  /// Whether the client waits instead of getting an answer, whatever the delay is.
  private(set) var waitsForEver = false

  private let response: StubResponse
  private let document: SourceValue?

  init(_ response: StubResponse, document: SourceValue?) {
    self.response = response
    self.document = document
    if let error = response.error {
      addError(error)
    } else if let fault = response.fault {
      addFault(fault)
    }
    if let bytes = response.afterBytes {
      origin["afterBytes"] = .number(JSONNumber(bytes))
      document?["afterBytes"]?.keep()
    }
  }

  private mutating func addError(_ error: ResponseError) {
    let place = document?["error"]
    self.error = place?.json
    let name = FailureTable.urlErrorName(of: error)
    if response.afterBytes != nil {
      members["fault"] = .string(FailureTable.wireMockBreak)
      place?.change(.errorGuess, "WireMock breaks off after the header fields")
    } else if name == "timedOut" {
      waitForEver()
      place?.change(.errorGuess, "WireMock lets the client wait for a day")
    } else {
      members["fault"] = .string(FailureTable.wireMockReset)
      let isSame = name == "networkConnectionLost" && error.userInfo.isEmpty
      if !isSame {
        place?.change(
          .errorGuess,
          "WireMock resets the connection, whatever the error (\(name ?? error.domain))")
      }
    }
  }

  private mutating func waitForEver() {
    waitsForEver = true
    members["fixedDelayMilliseconds"] = .number(JSONNumber(WireMockTiming.endless))
    origin["delay"] = document?["delay"]?.peekedJSON
  }

  private mutating func addFault(_ fault: ResponseFault) {
    let place = document?["fault"]
    place?.keep()
    if fault == .never {
      waitForEver()
      origin["fault"] = .string(fault.rawValue)
      place?.change(.errorGuess, "WireMock lets the client wait for a day, not for ever")
    } else if response.afterBytes == nil, let name = FailureTable.wireMockName(of: fault) {
      members["fault"] = .string(name)
    } else {
      members["fault"] = .string(FailureTable.wireMockBreak)
      origin["fault"] = .string(fault.rawValue)
      place?.change(.errorGuess, "WireMock breaks off after the header fields")
    }
  }
}
