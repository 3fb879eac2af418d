/// The number of a session within one gateway run.
///
/// A resumed session keeps its id and gets a new number.
struct SessionNumber: Hashable, Sendable {
  let value: UInt64
}
