extension Status {
  /// Whether a retry may soon succeed. This is the case if the owner restarts, is unreachable, or
  /// answers with a newer term.
  public var isTransient: Bool {
    code == .unavailable || code == .aborted || code == .deadlineExceeded
  }
}
