import RTP
import TestSupport
import Trials
import ZeroMQ

@testable import CarillonClientMedia

/// A minimal media service. The service accepts tickets, forwards packets by rules, and damages
/// packets on request.
actor ScriptedMedia {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// A rule that forwards packets of one client's stream to another client.
  struct Route: Hashable, Sendable {
    var from: [UInt8]
    var ssrc: UInt32
    var to: [UInt8]
    var as_: UInt32
  }

  /// The received tickets, accepted or not.
  nonisolated let shown = AwaitableEntryList<[UInt8]>()

  /// The SSRC of each received RTP packet.
  nonisolated let packets = AwaitableEntryList<UInt32>()

  /// The SSRC of each requested key frame.
  nonisolated let keyFrameRequests = AwaitableEntryList<UInt32>()

  private nonisolated let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var peers: [[UInt8]: [UInt8]] = [:]
  private var tickets: [[UInt8]: [UInt8]] = [:]
  private var routes: [Route] = []
  private var ignored = 0
  private var impairment: Impairment?

  /// The number of packets whose content this type replaced.
  private(set) var garbled = 0
  private var garbledShare = 0.0
  private var shift: UInt16 = 0
  private var garbage = SeededGenerator(seed: 0)

  init(on thread: SocketThread) { self.thread = thread }

  func open(at endpoint: Endpoint, in context: ZMQContext, ignoring ignored: Int = 0) throws {
    self.ignored = ignored
    let socket = try Socket(.router, in: context)
    try socket.set(.linger(.zero))
    try socket.bind(to: endpoint)
    watch = thread.watch(socket) { [unowned self] in assumeIsolated { $0.receive() } }
    self.socket = consume socket
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }

  func setRoutes(_ routes: [Route]) { self.routes = routes }

  /// Subtracts a number from the sequence numbers of forwarded packets, as if media had restarted.
  func countBack(_ shift: UInt16) { self.shift = shift }

  func impair(_ impairment: Impairment?) { self.impairment = impairment }

  /// Replaces the content after the header in this share of packets, 0-1.
  func garble(_ share: Double, seed: UInt64) {
    (garbledShare, garbage) = (share, SeededGenerator(seed: seed))
  }

  /// The number of packets that the impairment handled so far, and how many of these packets the
  /// impairment dropped.
  var spoilt: (seen: Int, lost: Int) { impairment.map { ($0.seen, $0.lost) } ?? (0, 0) }

  /// Sends bytes to the client that sent a ticket.
  func send(_ bytes: [UInt8], to ticket: [UInt8]) {
    guard let peer = peers[ticket] else { return }
    _ = try? socket?.send([MessageFrame(peer), MessageFrame(bytes)])
  }

  private func receive() {
    while let frames = try? socket?.receive() {
      for frame in frames.dropFirst() { take(frame.bytes, from: frames[0].bytes) }
    }
  }

  private func take(_ bytes: [UInt8], from peer: [UInt8]) {
    if bytes.count == 16, !RTPPacket.isRTCP(bytes.span), tickets[peer] == nil {
      shown.append(bytes)
      guard ignored == 0 else {
        ignored -= 1
        return
      }
      (peers[bytes], tickets[peer]) = (peer, bytes)
      return send(bytes, to: bytes)
    }
    guard let ticket = tickets[peer] else { return }
    if RTPPacket.isRTCP(bytes.span) { return takeControl(bytes, from: ticket) }
    guard let packet = RTPPacket(bytes.span) else { return }
    packets.append(packet.ssrc)
    for route in routes where route.from == ticket && route.ssrc == packet.ssrc {
      var copy = bytes
      var span = copy.mutableSpan
      let sequence = SequenceNumber(packet.sequence.rawValue &- shift)
      RTPPatch(sequence: sequence, timestamp: packet.timestamp, ssrc: route.as_).apply(to: &span)
      garble(&copy, from: packet.payload.lowerBound)
      forward(copy, to: route.to)
    }
  }

  private func garble(_ bytes: inout [UInt8], from start: Int) {
    guard Double.random(in: 0..<1, using: &garbage) < garbledShare else { return }
    garbled += 1
    // Most damaged packets still start correctly: with a descriptor of VP8, or with the first bytes
    // of Opus.
    let kept = min(bytes.count, start + Int.random(in: 0...16, using: &garbage))
    for index in kept..<bytes.count { bytes[index] = .random(in: 0...255, using: &garbage) }
  }

  private func forward(_ bytes: [UInt8], to ticket: [UInt8]) {
    guard let fate = impairment?.fate() else { return send(bytes, to: ticket) }
    for delay in fate {
      if delay == .zero {
        send(bytes, to: ticket)
      } else {
        _ = thread.schedule(after: delay) { [self] in
          assumeIsolated { $0.send(bytes, to: ticket) }
        }
      }
    }
  }

  /// Forwards feedback to the client that sends the stream, and answers sender reports.
  private func takeControl(_ bytes: [UInt8], from ticket: [UInt8]) {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes.span) {
      var answer = RTCPWriter()
      switch packet {
      case .senderReport(let report, _):
        let block = ReportBlock(ssrc: report.ssrc, lastSenderReport: report.time.middle)
        answer.addReceiverReport(sender: 1, reports: [block].span)
        send(answer.bytes, to: ticket)
      case .nack(let list):
        guard let route = routes.first(where: { $0.to == ticket && $0.as_ == list.media }) else {
          continue
        }
        var missing: [SequenceNumber] = []
        list.forEach(in: bytes.span) { missing.append($0) }
        answer.addNack(sender: 1, media: route.ssrc, missing: missing.span)
        send(answer.bytes, to: route.from)
      case .pictureLoss(_, let media):
        keyFrameRequests.append(media)
        guard let route = routes.first(where: { $0.to == ticket && $0.as_ == media }) else {
          continue
        }
        answer.addPictureLoss(sender: 1, media: route.ssrc)
        send(answer.bytes, to: route.from)
      default: break
      }
    }
  }
}
