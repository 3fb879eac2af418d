/// One attachment of an engine: the same engine attached again has another.
struct EngineToken: Hashable, Sendable, Comparable {
  let number: UInt64

  static func < (left: EngineToken, right: EngineToken) -> Bool { left.number < right.number }
}
