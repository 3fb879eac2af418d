internal import Synchronization
internal import ZeroMQ

/// The admission of peers to this process over tcp, according to the latest list of keys.
///
/// Sockets call this type from their threads. The type never waits for a file.
public final class KeyAdmission: Sendable {
  private struct State {
    var list: AllowList
    var restrictsClients: Bool
  }

  private let state: Mutex<State>
  private let cuts = Atomic(0)
  private let onRefusal: @Sendable (PeerRefusalReason) -> Void

  /// - Parameter onRefusal: A closure that counts a refused peer. The closure runs on any thread.
  public init(_ list: AllowList, onRefusal: @escaping @Sendable (PeerRefusalReason) -> Void) {
    state = Mutex(State(list: list, restrictsClients: list.restrictsClients))
    self.onRefusal = onRefusal
  }

  /// Replaces the list.
  ///
  /// If the new list excludes a peer that the old list admitted, secured ports of libzmq cut all
  /// connections, and admitted peers reconnect. Listeners end only the connections of excluded
  /// peers.
  public func replace(with list: AllowList) {
    let isNarrower = state.withLock { state in
      let isNarrower = !state.list.isCovered(by: list)
      state.list = list
      // After one list has demanded that clients have keys, every client always needs a key. So if
      // the list is lost, this type admits no client.
      if list.restrictsClients { state.restrictsClients = true }
      return isNarrower
    }
    if isNarrower { cuts.wrappingAdd(1, ordering: .releasing) }
  }

  /// Stops admitting peers that need a key. The caller uses this method when the list has become
  /// unreadable.
  public func close() { replace(with: AllowList()) }

  /// The number of new lists that excluded a peer whom the old list admitted.
  var narrowings: Int { cuts.load(ordering: .acquiring) }

  /// Returns the decision about a peer with this key, and counts a refusal.
  func verdict(on key: CurveKey, as role: PeerKeyRole) -> AllowList.Verdict {
    let verdict = state.withLock { $0.list.verdict(on: key, as: role) }
    if case .refused(let cause) = verdict { onRefusal(cause) }
    return verdict
  }

  /// Returns whether the list admits a client's key. This type admits every client until it has
  /// received a list that contains a client's key.
  func welcomes(client key: CurveKey) -> Bool {
    guard state.withLock({ $0.restrictsClients }) else { return true }
    if case .admitted = verdict(on: key, as: .client) { return true }
    return false
  }

  func count(_ refusal: PeerRefusalReason) { onRefusal(refusal) }
}
