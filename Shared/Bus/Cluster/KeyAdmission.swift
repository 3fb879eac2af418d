internal import Synchronization
internal import ZeroMQ

/// Who may connect to this process over tcp: the list as it was read last, and what becomes of
/// those whom it does not let in. Sockets ask it from their threads; it never waits for a file.
public final class KeyAdmission: Sendable {
  private struct State {
    var list: AllowList
    var restrictsClients: Bool
  }

  private let state: Mutex<State>
  private let cuts = Atomic(0)
  private let onRefusal: @Sendable (RefusedPeer) -> Void

  /// - Parameter onRefusal: Counts who is not let in, on any thread.
  public init(_ list: AllowList, onRefusal: @escaping @Sendable (RefusedPeer) -> Void) {
    state = Mutex(State(list: list, restrictsClients: list.restrictsClients))
    self.onRefusal = onRefusal
  }

  /// Goes by another list from now on. If somebody is not let in any more, those who are connected
  /// are cut off: who is still welcome comes back at once.
  public func replace(with list: AllowList) {
    let isNarrower = state.withLock { state in
      let isNarrower = !state.list.isCovered(by: list)
      state.list = list
      // Once clients needed a key they need one: a list that is lost lets nobody in.
      if list.restrictsClients { state.restrictsClients = true }
      return isNarrower
    }
    if isNarrower { cuts.wrappingAdd(1, ordering: .releasing) }
  }

  /// Lets nobody in that needs a key: the list cannot be read.
  public func close() { replace(with: AllowList()) }

  /// How often the list has let somebody in no more.
  var narrowings: Int { cuts.load(ordering: .acquiring) }

  /// What is to become of whoever comes with a key.
  func verdict(on key: SocketKey, as role: KeyRole) -> AllowList.Verdict {
    let verdict = state.withLock { $0.list.verdict(on: key, as: role) }
    if case .refused(let cause) = verdict { onRefusal(cause) }
    return verdict
  }

  /// Whether a client's key is welcome: any is, until the list names one.
  func welcomes(client key: SocketKey) -> Bool {
    guard state.withLock({ $0.restrictsClients }) else { return true }
    if case .admitted = verdict(on: key, as: .client) { return true }
    return false
  }

  func count(_ refusal: RefusedPeer) { onRefusal(refusal) }
}
