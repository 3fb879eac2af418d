/// A streaming call that is open, as its caller holds it.
public struct StreamHandle: Hashable, Sendable {
  let callID: UInt64
}
