import SRTP

/// Fuzzes a receiver with an attacker's packets and with protected packets, under fixed keys.
///
/// The first byte selects the profile. The rest of the input consists of pieces. Each piece
/// consists of a command byte, a length byte, and as many bytes of a packet as this length states.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard let first = bytes.first else { return 0 }
  let profiles = ProtectionProfile.allCases
  var association = SRTPSenderAndReceiver(profiles[Int(first) % profiles.count])
  var offset = 1
  while offset + 2 <= bytes.count {
    let end = min(offset + 2 + Int(bytes[offset + 1]), bytes.count)
    association.take(bytes[offset], Array(bytes[(offset + 2)..<end]))
    offset = end
  }
  return 0
}

/// A sender and its receiver. Both allow only two streams, so that inputs reach the limit.
private struct SRTPSenderAndReceiver: ~Copyable {
  private var sender: SRTPSender
  private var receiver: SRTPReceiver

  init(_ profile: ProtectionProfile) {
    var material = [UInt8](0..<UInt8(profile.exportedLength))
    guard let keys = SRTPKeys(profile: profile, wiping: &material) else {
      fatalError("Broken: exported keying material has one length")
    }
    sender = SRTPSender(keys.client, streams: 2)
    receiver = SRTPReceiver(keys.client, streams: 2)
  }

  /// - Parameter command: The lowest bit selects RTCP. The next bit marks an attacker's packet. The
  ///   other bits select a byte of a protected packet. The receiver first gets a copy of the packet
  ///   with another value of this byte, and then the packet itself.
  mutating func take(_ command: UInt8, _ packet: [UInt8]) {
    let isRTCP = command & 1 != 0
    if command & 2 != 0 {
      var forged = packet
      FuzzInput.require(open(&forged, isRTCP) == nil, "a stranger's packet is refused")
    } else if let protected = protect(packet, isRTCP) {
      deliver(protected, of: packet, isRTCP, changing: Int(command >> 2))
    }
  }

  private mutating func deliver(
    _ protected: [UInt8], of packet: [UInt8], _ isRTCP: Bool, changing place: Int
  ) {
    var changed = protected
    changed[changed.count - 1 - place % changed.count] ^= 1
    FuzzInput.require(open(&changed, isRTCP) == nil, "a packet that was changed is refused")
    let before = receiver.refusals[.tooManyStreams]
    var copy = protected
    let opened = open(&copy, isRTCP)
    // RTCP packets may have any SSRC, but the receiver remembers only a limited number of SSRCs.
    let isFull = isRTCP && receiver.refusals[.tooManyStreams] > before
    FuzzInput.require(opened == packet || isFull, "a packet is opened as it was")
    copy = protected
    FuzzInput.require(open(&copy, isRTCP) == nil, "a packet is accepted once")
  }

  private mutating func protect(_ packet: [UInt8], _ isRTCP: Bool) -> [UInt8]? {
    var bytes = packet + [UInt8](repeating: 0, count: sender.rtcpOverhead)
    var elements = bytes.mutableSpan
    var room = unsafe elements.mutableBytes
    let result =
      isRTCP
      ? sender.protectRTCP(&room, count: packet.count)
      : sender.protectRTP(&room, count: packet.count)
    guard case .success(let count) = result else { return nil }
    return Array(bytes.prefix(count))
  }

  private mutating func open(_ bytes: inout [UInt8], _ isRTCP: Bool) -> [UInt8]? {
    let count = bytes.count
    var elements = bytes.mutableSpan
    var packet = unsafe elements.mutableBytes
    let refused = receiver.refusals.total
    let result =
      isRTCP
      ? receiver.openRTCP(&packet, count: count) : receiver.openRTP(&packet, count: count)
    guard case .success(let opened) = result else {
      FuzzInput.require(receiver.refusals.total == refused + 1, "a refusal is counted")
      return nil
    }
    return Array(bytes.prefix(opened))
  }
}
