/// The id of one attachment. An engine that attaches again gets a new id.
struct EngineToken: Hashable, Sendable, Comparable {
  let number: UInt64

  static func < (left: EngineToken, right: EngineToken) -> Bool { left.number < right.number }
}
