/// The caller's handle of an open stream call.
public struct StreamHandle: Hashable, Sendable {
  let callID: UInt64
}
