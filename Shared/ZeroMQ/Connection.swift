/// One connection of a bound socket, by the number of its descriptor: what the events of a monitor
/// tell of.
///
/// The system gives a number again once its connection is closed, so a connection is forgotten with
/// its `disconnected` event.
public struct Connection: Hashable, Sendable {
  let descriptor: Int32
}
