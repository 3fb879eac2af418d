internal import Synchronization
internal import ZeroMQ

/// The admission of peers to this process over tcp, by the latest list of keys.
///
/// Sockets call it from their threads. It never waits for a file.
public final class KeyAdmission: Sendable {
  private struct State {
    var list: AllowList
    var restrictsClients: Bool
  }

  private let state: Mutex<State>
  private let cuts = Atomic(0)
  private let onRefusal: @Sendable (RefusedPeer) -> Void

  /// - Parameter onRefusal: Counts a refused peer, on any thread.
  public init(_ list: AllowList, onRefusal: @escaping @Sendable (RefusedPeer) -> Void) {
    state = Mutex(State(list: list, restrictsClients: list.restrictsClients))
    self.onRefusal = onRefusal
  }

  /// Uses another list from now on.
  ///
  /// If the new list no longer admits some peer, secured ports of libzmq cut all connections, and
  /// listeners end those that are no longer admitted. Admitted peers reconnect at once.
  public func replace(with list: AllowList) {
    let isNarrower = state.withLock { state in
      let isNarrower = !state.list.isCovered(by: list)
      state.list = list
      // Once clients need a key, they keep needing one: a lost list admits nobody.
      if list.restrictsClients { state.restrictsClients = true }
      return isNarrower
    }
    if isNarrower { cuts.wrappingAdd(1, ordering: .releasing) }
  }

  /// Admits no peer that needs a key, after the list became unreadable.
  public func close() { replace(with: AllowList()) }

  /// The number of times that a new list stopped admitting some peer.
  var narrowings: Int { cuts.load(ordering: .acquiring) }

  /// Returns the decision about a peer with this key, and counts a refusal.
  func verdict(on key: SocketKey, as role: KeyRole) -> AllowList.Verdict {
    let verdict = state.withLock { $0.list.verdict(on: key, as: role) }
    if case .refused(let cause) = verdict { onRefusal(cause) }
    return verdict
  }

  /// Returns whether a client's key is admitted. Every key is until the list names a client's key.
  func welcomes(client key: SocketKey) -> Bool {
    guard state.withLock({ $0.restrictsClients }) else { return true }
    if case .admitted = verdict(on: key, as: .client) { return true }
    return false
  }

  func count(_ refusal: RefusedPeer) { onRefusal(refusal) }
}
