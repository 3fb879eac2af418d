/// The caller's handle of an open stream call.
public struct StreamCallHandle: Hashable, Sendable {
  let callID: UInt64
}
