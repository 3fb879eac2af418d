public import ArgumentParser
internal import Bus
internal import Logging
internal import Ownership
public import ServiceHost
public import ServiceLifecycle
internal import ZMTP
internal import ZeroMQ

/// The service `media`, which mixes audio and forwards video.
///
/// The service answers requests at `<runtime-dir>/<instance>.rpc.sock`. It publishes events at
/// `<runtime-dir>/<instance>.events.sock`, and exchanges packets at
/// `<runtime-dir>/<instance>.media.sock`.
public struct MediaCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @OptionGroup var remote: TCPListenerOptions

  @Option(help: "ZeroMQ address to announce to clients, HOST:PORT. Default: media's own endpoint.")
  var publicMedia: String?

  @Option(help: "Maximum number of attendees that the mix of a meeting contains at once, 1-100.")
  var maxTalkers = 5

  @Option(help: "Bitrate of each channel of a mix, in bit/s, 6000-256000.")
  var audioBitrate = 32_000

  @Option(
    help:
      "Complexity of the Opus encoder, 0-10: a higher value sounds better and takes more time.")
  var audioComplexity = 5

  @Option(help: "Maximum size of a packet in bytes, 512-65536.")
  var maxPacketBytes = 1_500

  @Option(
    help: """
      UDP port to which browsers send media; 0 picks a free port. Each instance on a machine needs \
      its own port.
      """)
  var udpPort = 0

  @Option(
    help:
      """
      Addresses at which browsers reach --udp-port, separated by commas. Default: the first \
      address of this machine that is not a loopback address; media then listens only on this \
      address.
      """)
  var publicAddress: String?

  @OptionGroup var grace: GatewayLossGraceOptions

  @OptionGroup var cluster: ClusterOptions

  /// The purposes of the endpoints for other hosts, in the order of the ports.
  private static let purposes = ["rpc", "events"]

  public init() {}

  public func validate() throws {
    try cluster.checkRoom(for: Self.purposes)
    try Self.check(maxTalkers, 1...100, "--max-talkers")
    try Self.check(audioBitrate, 6_000...256_000, "--audio-bitrate")
    try Self.check(audioComplexity, 0...10, "--audio-complexity")
    try Self.check(maxPacketBytes, 512...65_536, "--max-packet-bytes")
    try Self.check(udpPort, 0...65_535, "--udp-port")
    _ = try webRTC()
    _ = try Self.tcpEndpoint(publicMedia, "--public-media")
  }

  private func webRTC() throws -> WebRTCConfiguration {
    let addresses = (publicAddress ?? "").split(separator: ",").map { String($0) }
    guard let configuration = WebRTCConfiguration(addresses: addresses, port: udpPort) else {
      throw ValidationError(
        """
        --public-address must be IPv4 or IPv6 addresses, separated by commas; got \
        \(publicAddress ?? "").
        """)
    }
    return configuration
  }

  /// The rules from the command-line options.
  var rules: MediaRules {
    MediaRules(
      maxTalkers: maxTalkers, audioBitrate: audioBitrate, audioComplexity: audioComplexity,
      maxPacketBytes: maxPacketBytes, gatewayGrace: grace.duration)
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let local = try Endpoint.ipc(host.ipcPath("media"))
    let tcp = try remote.place()
    if remote.insecureListen {
      host.logger.warning(
        """
        --insecure-listen: tcp clients without CURVE are not encrypted; use it only on a trusted \
        network
        """)
    }
    // Clients receive the key with their tickets. So no file keeps the key, and each start of the
    // service creates a new key.
    let key = remote.isEncrypted ? CurveSecretKey() : nil
    // Clients on other machines need the tcp endpoint. Clients on this machine may use the tcp
    // endpoint or the Unix socket.
    let advertised = try Self.tcpEndpoint(publicMedia, "--public-media") ?? tcp ?? local
    let context = try host.makeContext(ioThreads: 2)
    let cluster = try cluster.open(for: Self.purposes, in: host, context)
    let configuration = MediaConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), packets: [local] + (tcp.map { [$0] } ?? []),
      advertised: key.map { advertised.encrypted(for: $0.publicKey) } ?? advertised,
      packetSecurity: .ofClients(servedBy: key), rules: rules, webRTC: try webRTC(),
      reach: cluster.reach)
    let media = MediaService(
      configuration,
      registry: host.makeRegistry(),
      in: context, on: SocketThread(name: "media"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await media.checkIsServing() }
    return cluster.services + [media]
  }
}
