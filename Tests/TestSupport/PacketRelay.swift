import RTP
public import ZeroMQ

/// A bad network between clients and media. The relay forwards packets in both directions. An
/// ``Impairment`` drops, delays, duplicates and reorders packets. Tickets always pass.
public actor PacketRelay {
  public enum Direction: Hashable, Sendable {
    /// From clients to media.
    case up
    case down
  }

  /// The RTCP requests that passed in one direction.
  public struct Requests: Hashable, Sendable {
    /// The number of packets whose retransmission a receiver requested.
    public var packets = 0
    public var keyFrames = 0
  }

  /// The packets that share one ``Impairment``.
  private struct Stream: Hashable {
    let direction: Direction
    /// The payload type; `nil` for RTCP.
    let payloadType: UInt8?
  }

  private nonisolated let thread: SocketThread
  private let context: ZMQContext
  private let target: Endpoint
  private var near: Socket?
  private var watch: PollWatchID?
  private var peers: [[UInt8]: Peer] = [:]
  private var downlinks: [[UInt8]: LinkLimit] = [:]
  private var impairments: [Direction: Impairment] = [:]
  private var streams: [Stream: Impairment] = [:]
  private var tallies: [Stream: PacketTally] = [:]
  private var asked: [Direction: Requests] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a relay that is not open.
  ///
  /// - Parameter thread: A thread with little other work.
  public init(to target: Endpoint, in context: ZMQContext, on thread: SocketThread) {
    (self.target, self.context, self.thread) = (target, context, thread)
  }

  public func open(at endpoint: Endpoint) throws {
    let socket = try Socket(.router, in: context)
    try socket.set(.linger(.zero))
    try socket.bind(to: endpoint)
    watch = thread.watch(socket) { [unowned self] in assumeIsolated { $0.receive() } }
    near = consume socket
  }

  public func close() {
    if let watch { thread.unwatch(watch) }
    for peer in peers.values { thread.unwatch(peer.watch) }
    (watch, peers) = (nil, [:])
    near = nil
  }

  /// Sets the impairment of later packets in one direction; `nil` for none.
  public func impair(_ direction: Direction, _ impairment: Impairment?) {
    impairments[direction] = impairment
    for stream in streams.keys where stream.direction == direction { streams[stream] = nil }
  }

  /// The connected clients. The name of a connection identifies the client.
  public var clients: Set<[UInt8]> { Set(peers.keys) }

  /// Limits the link that all later packets to one client share; `nil` removes the limit.
  public func limitDownlink(of client: [UInt8], to limit: LinkLimit?) {
    downlinks[client] = limit
  }

  /// Returns the tally of all packets since the start.
  public func tally(_ direction: Direction, payloadType: UInt8) -> PacketTally {
    tallies[Stream(direction: direction, payloadType: payloadType)] ?? PacketTally()
  }

  public func requests(_ direction: Direction) -> Requests { asked[direction] ?? Requests() }

  // MARK: Sockets

  /// One client: the relay's connection to media for this client, and the first ticket that the
  /// client sent.
  private final class Peer {
    let far: Socket
    let watch: PollWatchID
    let ticket: [UInt8]

    init(_ far: consuming Socket, _ watch: PollWatchID, ticket: [UInt8]) {
      (self.watch, self.ticket) = (watch, ticket)
      self.far = far
    }
  }

  private func receive() {
    while let frames = try? near?.receive() {
      let name = frames[0].bytes
      for frame in frames.dropFirst() { takeUp(frame.bytes, from: name) }
    }
  }

  private func takeUp(_ bytes: [UInt8], from name: [UInt8]) {
    guard let peer = peers[name] ?? (try? connect(name, ticket: bytes)) else { return }
    if bytes == peer.ticket { send(bytes, .up, name) } else { pass(bytes, .up, name) }
  }

  private func connect(_ name: [UInt8], ticket: [UInt8]) throws -> Peer {
    let socket = try Socket(.dealer, in: context)
    try socket.set(.linger(.zero))
    try socket.connect(to: target)
    let watch = thread.watch(socket) { [unowned self] in assumeIsolated { $0.receive(for: name) } }
    let peer = Peer(socket, watch, ticket: ticket)
    peers[name] = peer
    return peer
  }

  private func receive(for name: [UInt8]) {
    while let peer = peers[name], let frames = try? peer.far.receive() {
      for bytes in frames.map(\.bytes) {
        if bytes == peer.ticket { send(bytes, .down, name) } else { pass(bytes, .down, name) }
      }
    }
  }

  /// Sends bytes to media or to a client.
  ///
  /// - Parameter name: The routing id of the client.
  private func send(_ bytes: [UInt8], _ direction: Direction, _ name: [UInt8]) {
    switch direction {
    case .up: _ = try? peers[name]?.far.send(MessageFrame(bytes))
    case .down: _ = try? near?.send([MessageFrame(name), MessageFrame(bytes)])
    }
  }

  // MARK: Packets

  private func pass(_ bytes: [UInt8], _ direction: Direction, _ name: [UInt8]) {
    let packet = RTPPacket.isRTCP(bytes.span) ? nil : RTPPacket(bytes.span)
    let stream = Stream(direction: direction, payloadType: packet?.payloadType)
    let fate = limited(fate(of: packet, stream), bytes, direction, name)
    if let packet {
      tallies[stream, default: PacketTally()].note(
        Self.key(packet), isDropped: fate.isEmpty,
        startsKeyFrame: Self.startsKeyFrame(packet, bytes))
    } else if !fate.isEmpty {
      noteRequests(bytes, direction)
    }
    for delay in fate {
      guard delay > .zero else {
        send(bytes, direction, name)
        continue
      }
      _ = thread.schedule(after: delay) { [self] in
        assumeIsolated { $0.send(bytes, direction, name) }
      }
    }
  }

  private func fate(of packet: RTPPacket?, _ stream: Stream) -> Impairment.Fate {
    guard let general = impairments[stream.direction] else { return [.zero] }
    if general.losesRepeats, let packet, tallies[stream]?.isLost(Self.key(packet)) == true {
      return []
    }
    return streams[stream, default: general.other(UInt64(stream.payloadType ?? 255))].fate()
  }

  /// Adds the delay and the loss of the client's own link to the fate of a packet.
  private func limited(
    _ fate: Impairment.Fate, _ bytes: [UInt8], _ direction: Direction, _ name: [UInt8]
  ) -> Impairment.Fate {
    guard direction == .down, downlinks[name] != nil else { return fate }
    return fate.compactMap { delay in
      downlinks[name]?.delay(of: bytes.count, at: .now).map { delay + $0 }
    }
  }

  private static func key(_ packet: RTPPacket) -> UInt64 {
    UInt64(packet.ssrc) << 16 | UInt64(packet.sequence.rawValue)
  }

  /// Returns whether a packet starts a key frame. This method reads the payload as VP8 regardless
  /// of the packet's payload type.
  private static func startsKeyFrame(_ packet: RTPPacket, _ bytes: [UInt8]) -> Bool {
    let payload = bytes.span.extracting(packet.payload)
    guard let (descriptor, start) = VP8Descriptor.read(payload), descriptor.startsFrame else {
      return false
    }
    return VP8FrameHeader(payload.extracting(start..<payload.count))?.isKeyFrame == true
  }

  private func noteRequests(_ bytes: [UInt8], _ direction: Direction) {
    var reader = RTCPReader()
    var requests = requests(direction)
    while let packet = reader.next(in: bytes.span) {
      switch packet {
      case .nack(let list): list.forEach(in: bytes.span) { _ in requests.packets += 1 }
      case .pictureLoss, .fullIntraRequest: requests.keyFrames += 1
      default: break
      }
    }
    asked[direction] = requests
  }
}
