/// The number of a session, unique within one run of a gateway.
///
/// A resumed session keeps its id and gets a new number.
struct SessionNumber: Hashable, Sendable {
  let value: UInt64
}
