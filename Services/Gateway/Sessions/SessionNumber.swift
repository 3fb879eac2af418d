/// Tells the sessions of one gateway run apart: a session that is resumed keeps its id and gets
/// another number.
struct SessionNumber: Hashable, Sendable {
  let value: UInt64
}
