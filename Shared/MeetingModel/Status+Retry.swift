extension Status {
  /// Whether the same call may succeed a little later: the owner restarts, is out of reach, or
  /// answers under a newer term.
  public var isTransient: Bool {
    code == .unavailable || code == .aborted || code == .deadlineExceeded
  }
}
