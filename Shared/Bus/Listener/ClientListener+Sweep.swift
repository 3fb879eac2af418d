internal import MeetingModel
internal import ZMTP
internal import ZeroMQ

// Enforces timeouts and rates. The listener ends connections that are idle or too slow, or that
// send too many commands.
extension ClientListener {
  /// The interval between sweeps while there are connections.
  private static let sweepInterval = Duration.seconds(1)

  /// The minimum age at which the listener may end an unfinished handshake to make room for another
  /// peer: a few round trips on the slowest links.
  private static let patience = Duration.milliseconds(900)

  func armSweep() {
    guard !sweep.isSet else { return }
    if stalls == nil { stalls = ProcessStallDetector(interval: Self.sweepInterval, at: thread.now) }
    sweep.set(after: Self.sweepInterval) { [unowned self] in
      sweepConnections(at: thread.now)
    }
  }

  /// Ends connections that are overdue, and schedules the next sweep.
  func sweepConnections(at now: ContinuousClock.Instant) {
    // This process reads nothing during a stall, so this code does not count a stall of this
    // process as silence of a peer.
    let stall = stalls?.look(at: now) ?? .zero
    let narrowings = options.admission?.narrowings ?? 0
    let isNarrower = narrowings != narrowingsSeen
    narrowingsSeen = narrowings
    for connection in connections.values where connection.ending == nil {
      connection.excuse(stall, at: now)
      if isNarrower, !isWelcome(connection) {
        end(connection, .revoked)
      } else if let cause = fault(of: connection, at: now) {
        end(connection, cause)
      }
      connection.commandsCounted = connection.zmtp.commands
    }
    closeOverdue(at: now)
    bury()
    isOutOfFiles = false
    acceptAgain()
    if connections.isEmpty, leaving.isEmpty, !isFull { stalls = nil } else { armSweep() }
  }

  private func isWelcome(_ connection: ListenerPeerConnection) -> Bool {
    guard let admission = options.admission,
      let key = connection.zmtp.peer?.publicKey.flatMap({ CurveKey($0.bytes) })
    else { return true }
    return admission.welcomes(client: key)
  }

  /// Returns the reason to end a connection; `nil` if the connection may stay open.
  private func fault(
    of connection: ListenerPeerConnection, at now: ContinuousClock.Instant
  ) -> ConnectionEvent? {
    if connection.zmtp.peer == nil {
      let silence = now - connection.lastUse
      if silence > options.handshakeTimeout { return .handshakeFailed }
      return handshakes.count >= options.handshakes && silence > Self.patience ? .crowdedOut : nil
    }
    if let began = connection.messageBegan, now - began > options.handshakeTimeout {
      return .overdue
    }
    if connection.zmtp.commands - connection.commandsCounted > options.commandsPerSecond {
      return .flooded
    }
    if let limit = options.idleLimit, !connection.isExempt, now - connection.lastUse > limit {
      return .idle
    }
    return nil
  }
}
