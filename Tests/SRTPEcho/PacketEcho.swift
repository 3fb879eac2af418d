import SRTP

/// Answers each command with one packet.
struct PacketEcho: ~Copyable {
  private var sender: SRTPSender
  private var receiver: SRTPReceiver

  init(_ key: MasterKey) {
    sender = SRTPSender(key)
    receiver = SRTPReceiver(key)
  }

  /// Returns the packet in hexadecimal, or the name of the refusal.
  mutating func answer(_ command: String, _ packet: [UInt8]) -> String {
    var bytes = packet
    if command.hasPrefix("protect") {
      bytes += [UInt8](repeating: 0, count: sender.rtcpOverhead)
    }
    switch run(command, &bytes, count: packet.count) {
    case .success(let count): return bytes.prefix(count).hexadecimal
    case .failure(let refusal): return "\(refusal)"
    }
  }

  private mutating func run(
    _ command: String, _ bytes: inout [UInt8], count: Int
  ) -> Result<Int, SRTPRefusal> {
    var elements = bytes.mutableSpan
    var packet = elements.mutableBytes
    switch command {
    case "protect-rtp": return sender.protectRTP(&packet, count: count)
    case "protect-rtcp": return sender.protectRTCP(&packet, count: count)
    case "open-rtp": return receiver.openRTP(&packet, count: count)
    case "open-rtcp": return receiver.openRTCP(&packet, count: count)
    default: fatalError("There is no command \(command).")
    }
  }
}
