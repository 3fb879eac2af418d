/// The answer of `/readyz`.
enum Readiness: Hashable {
  /// A failed check, and its reason.
  struct Failure: Hashable {
    let check: String
    let reason: String
  }

  case ready
  /// At least one check fails. The failures are in the order of the checks' names.
  case failing([Failure])
  /// Somebody has asked the process to stop, and the process accepts no new work.
  case draining

  /// One JSON object: `{"status":"ready"}`, `{"status":"draining"}`, or
  /// `{"status":"failing","failing":[{"check":"bus","reason":"not connected"}]}`.
  var json: String {
    switch self {
    case .ready: return #"{"status":"ready"}"#
    case .draining: return #"{"status":"draining"}"#
    case .failing(let failures):
      let list = failures.map {
        #"{"check":\#(JSONText.quoted($0.check)),"reason":\#(JSONText.quoted($0.reason))}"#
      }
      return #"{"status":"failing","failing":[\#(list.joined(separator: ","))]}"#
    }
  }
}
