import Foundation
import ZeroMQ

/// One participant's connection to `media` over a Unix socket.
///
/// The client sends RTP packets and counts the received messages. Only the client's
/// ``SocketThread`` uses the client.
final class AudioClient {
  private let thread: SocketThread
  private let ticket: [UInt8]
  private let ssrc: UInt32
  private var socket: Socket?
  private var watch: WatchID?

  /// The number of messages received from `media`.
  private(set) var received = 0

  /// - Parameter directory: The directory of the ``MediaProcess``.
  init(
    _ session: MediaProcess.Session, of directory: String, in context: Context,
    on thread: SocketThread
  ) throws {
    self.thread = thread
    (ticket, ssrc) = (session.ticket, session.ssrc)
    let socket = try Socket(.dealer, in: context)
    try socket.connect(to: .ipc("\(directory)/run/media-a.media.sock"))
    watch = thread.watch(socket) { [unowned self] in take() }
    self.socket = consume socket
  }

  /// Reads the packets from a file that `Peers/opus_alone` has written. Each packet follows its
  /// length.
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

  /// Sends 20 ms of audio.
  ///
  /// - Parameters:
  ///   - tick: Increases by one with each packet.
  ///   - level: The audio level, in −dBov (RFC 6464): 127 is silence.
  func send(_ payload: [UInt8], tick: Int, level: UInt8) {
    var packet: [UInt8] = [0x90, 111]
    func append(_ value: UInt32, _ bytes: Int) {
      for shift in (0..<bytes).reversed() {
        packet.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift))))
      }
    }
    append(UInt32(tick & 0xffff), 2)
    append(UInt32(truncatingIfNeeded: tick * 960), 4)
    append(ssrc, 4)
    // The audio level is in a header extension with a one-byte header. The client does not mark
    // levels below -60 dB as speech.
    append(0xBEDE_0001, 4)
    packet += [0x10, (level < 60 ? 0x80 : 0) | level, 0, 0]
    packet += payload
    send(packet)
  }

  private func send(_ bytes: [UInt8]) {
    switch socket {
    case .some(let socket): _ = try? socket.send(Frame(bytes))
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
