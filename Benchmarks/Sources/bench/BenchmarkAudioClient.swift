import Foundation
import ZeroMQ

/// One participant's connection to `media` over a Unix socket.
///
/// The client sends RTP packets and counts the received messages. Only the client's
/// ``SocketThread`` uses the client.
final class BenchmarkAudioClient: BenchmarkAudioConnection {
  private let thread: SocketThread
  private let ticket: [UInt8]
  private let ssrc: UInt32
  private var socket: Socket?
  private var watch: PollWatchID?

  /// The number of messages received from `media`.
  private(set) var received = 0

  /// - Parameter directory: The directory of the ``MediaProcess``.
  init(
    _ session: MediaProcess.Session, of directory: String, in context: ZMQContext,
    on thread: SocketThread
  ) throws {
    self.thread = thread
    (ticket, ssrc) = (session.ticket, session.ssrc)
    let socket = try Socket(.dealer, in: context)
    try socket.connect(to: .ipc("\(directory)/run/media-a.media.sock"))
    watch = thread.watch(socket) { [unowned self] in take() }
    self.socket = consume socket
  }

  /// Reads the packets from a file that `Peers/opus_alone` has written. In the file, the length of
  /// each packet precedes the packet.
  static func packets(of path: String) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var packets: [[UInt8]] = []
    var offset = 0
    while offset + 2 <= bytes.count {
      let count = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      packets.append(Array(bytes[offset + 2..<offset + 2 + count]))
      offset += 2 + count
    }
    return packets
  }

  /// Sends the participant's ticket to `media`, which then admits the participant.
  func show() { send(ticket) }

  /// Always true, because a ZeroMQ socket queues the messages of a client that is not connected
  /// yet.
  var isReady: Bool { true }

  func advance() {}

  func send(_ payload: [UInt8], tick: Int, level: UInt8) {
    send(AudioPacket.bytes(payload, tick: tick, level: level, ssrc: ssrc))
  }

  private func send(_ bytes: [UInt8]) {
    switch socket {
    case .some(let socket): _ = try? socket.send(MessageFrame(bytes))
    case .none: break
    }
  }

  /// Reads all pending messages.
  private func take() {
    switch socket {
    case .some(let socket):
      while let frames = try? socket.receive(), !frames.isEmpty { received += 1 }
    case .none: break
    }
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }
}
