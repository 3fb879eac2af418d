internal import Bus
internal import Logging
internal import ServiceLifecycle
internal import ZeroMQ

/// A service that authenticates the tcp peers of the process's sockets against the current list of
/// allowed keys.
struct PeerAuthenticationService: Service {
  private let authenticator: PeerAuthenticator
  private let thread: SocketThread
  private let reader: AllowListReader

  init(
    _ admission: KeyAdmission, of keys: KeyDirectory, in context: ZMQContext,
    metrics: RefusedPeerMetrics,
    logger: Logger
  ) {
    thread = SocketThread(name: "authenticator")
    authenticator = PeerAuthenticator(admission, in: context, on: thread)
    reader = AllowListReader(admission, of: keys, metrics: metrics, logger: logger)
  }

  func run() async throws {
    defer { thread.stop() }
    try await authenticator.open()
    await reader.run()
    await authenticator.close()
  }
}
