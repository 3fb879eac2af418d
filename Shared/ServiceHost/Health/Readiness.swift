/// What `/readyz` answers.
enum Readiness: Hashable {
  /// A check that failed, and what it said.
  struct Failure: Hashable {
    let check: String
    let reason: String
  }

  case ready
  /// Some checks fail: at least one, in the order of their names.
  case failing([Failure])
  /// The process has been asked to stop: send it nothing new.
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
