import Testing

@testable import SRTP

@Suite("SRTP and SRTCP")
struct SRTPTests {
  private static let profiles = ProtectionProfile.allCases

  @Test("the receiver restores protected packets", arguments: profiles, PacketKind.allCases)
  func openWhatTheyProtected(profile: ProtectionProfile, kind: PacketKind) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    for number in UInt16(0)..<20 {
      let packet: [UInt8] =
        kind == .rtp ? .rtp(number, payload: Int(number)) : .rtcp(words: Int(number) + 1)
      let protected = try sender.protect(packet, kind).get()
      let overhead = kind == .rtp ? sender.rtpOverhead : sender.rtcpOverhead
      #expect(protected.count == packet.count + overhead)
      #expect(protected[8...] != packet[8...])
      #expect(try receiver.open(protected, kind).get() == packet)
    }
    #expect(sender.refusals.total == 0 && receiver.refusals.total == 0)
  }

  @Test(
    "contributors and header extensions stay readable, and padding is encrypted",
    arguments: profiles)
  func leaveTheHeaderClear(profile: ProtectionProfile) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    let header = [UInt8](
      hex: "b2600001 00000009 00000001 0000000a 0000000b bede0002 10aa21bb cc000000")
    let packet = header + [1, 2, 3, 4, 5, 0, 0, 3]
    let protected = try sender.protect(packet).get()
    #expect(Array(protected.prefix(header.count)) == header)
    #expect(protected[header.count..<packet.count] != packet[header.count...])
    #expect(try receiver.open(protected).get() == packet)
  }

  @Test("the receiver refuses a repeated packet", arguments: profiles, PacketKind.allCases)
  func refuseRepetitions(profile: ProtectionProfile, kind: PacketKind) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    let protected = try sender.protect(kind == .rtp ? .rtp(1) : .rtcp(), kind).get()
    #expect(throws: Never.self) { try receiver.open(protected, kind).get() }
    #expect(receiver.open(protected, kind) == .failure(.repeated))
    #expect(receiver.refusals[.repeated] == 1 && receiver.refusals.total == 1)
  }

  @Test(
    "the receiver refuses a packet with any changed bit", arguments: profiles, PacketKind.allCases)
  func refuseForgeries(profile: ProtectionProfile, kind: PacketKind) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    let packet: [UInt8] = kind == .rtp ? .rtp(1, payload: 8) : .rtcp()
    let protected = try sender.protect(packet, kind).get()
    for bit in 0..<(8 * protected.count) {
      var changed = protected
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: SRTPRefusal.self) { try receiver.open(changed, kind).get() }
    }
    #expect(receiver.refusals.total == UInt64(8 * protected.count))
    #expect(receiver.rtpStreams.count == 0 && receiver.rtcpStreams.count == 0)
    #expect(try receiver.open(protected, kind).get() == packet)
  }

  @Test(
    "the receiver refuses a packet that was protected with another key", arguments: profiles,
    PacketKind.allCases)
  func refuseOtherKeys(profile: ProtectionProfile, kind: PacketKind) throws {
    var sender = SRTPSender(try #require(MasterKey.counting(profile)))
    var receiver = SRTPReceiver(try #require(MasterKey.counting(profile, from: 1)))
    let protected = try sender.protect(kind == .rtp ? .rtp(1) : .rtcp(), kind).get()
    #expect(receiver.open(protected, kind) == .failure(.forged))
  }

  @Test("the receiver refuses each truncated packet", arguments: profiles, PacketKind.allCases)
  func refuseCutPackets(profile: ProtectionProfile, kind: PacketKind) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    let protected = try sender.protect(kind == .rtp ? .rtp(1) : .rtcp(), kind).get()
    for count in 0..<protected.count {
      let refusal = receiver.open(Array(protected.prefix(count)), kind)
      #expect(refusal == .failure(.malformed) || refusal == .failure(.forged))
    }
  }

  @Test(
    "the receiver leaves no plaintext of a forged packet in memory",
    arguments: [ProtectionProfile.aeadAES128GCM])
  func leaveNoPlaintext(profile: ProtectionProfile) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    var protected = try sender.protect(.rtp(1)).get()
    protected[protected.count - 1] ^= 1
    let count = protected.count
    var elements = protected.mutableSpan
    var span = elements.mutableBytes
    #expect(receiver.openRTP(&span, count: count) == .failure(.forged))
    #expect(protected[12..<112].allSatisfy { $0 == 0 })
  }

  @Test("the sender protects no index twice", arguments: profiles)
  func sendNoIndexTwice(profile: ProtectionProfile) throws {
    var sender = SRTPSender(try #require(MasterKey.counting(profile)))
    #expect(throws: Never.self) { try sender.protect(.rtp(2_000)).get() }
    #expect(sender.protect(.rtp(2_000)) == .failure(.repeated))
    #expect(sender.protect(.rtp(2_000, of: 8)) == .failure(.repeated))
    #expect(throws: Never.self) { try sender.protect(.rtp(2_000 - 1_023)).get() }
    #expect(sender.protect(.rtp(2_000 - 1_024)) == .failure(.tooOld))
    #expect(throws: Never.self) { try sender.protect(.rtp(2_000, ssrc: 2)).get() }
    #expect(sender.refusals[.repeated] == 2 && sender.refusals[.tooOld] == 1)
  }

  @Test("a packet is not protected if the buffer has no room for the tag", arguments: profiles)
  func needRoom(profile: ProtectionProfile) throws {
    var sender = SRTPSender(try #require(MasterKey.counting(profile)))
    for (packet, kind) in [([UInt8].rtp(1), PacketKind.rtp), (.rtcp(), .rtcp)] {
      let overhead = kind == .rtp ? sender.rtpOverhead : sender.rtcpOverhead
      var bytes = packet + [UInt8](repeating: 0, count: overhead - 1)
      var elements = bytes.mutableSpan
      var span = elements.mutableBytes
      let result =
        kind == .rtp
        ? sender.protectRTP(&span, count: packet.count)
        : sender.protectRTCP(&span, count: packet.count)
      #expect(result == .failure(.noRoom))
      #expect(Array(bytes.prefix(packet.count)) == packet)
    }
  }

  @Test(
    "the sender refuses bytes that are not a packet",
    arguments: [
      "", "80", "8060000100000009000000", "406000010000000900000001", "8f6000010000000900000001",
      "9060000100000009000000010000ffff",
    ])
  func refuseNoPackets(digits: String) throws {
    var sender = SRTPSender(try #require(MasterKey.counting(.aeadAES128GCM)))
    #expect(sender.protect([UInt8](hex: digits)) == .failure(.malformed))
  }

  @Test("a key expires after 2^48 RTP packets", arguments: profiles)
  func endAKeyOfRTP(profile: ProtectionProfile) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    sender.rtpStreams.record(PacketIndex.rtpEnd - 2, of: 1)
    receiver.rtpStreams.record(PacketIndex.rtpEnd - 2, of: 1)
    let last = try sender.protect(.rtp(0xffff)).get()
    #expect(try receiver.open(last).get() == .rtp(0xffff))
    #expect(sender.protect(.rtp(0)) == .failure(.keyExpired))
    #expect(receiver.open(last.prefix(2) + [0, 0] + last[4...]) == .failure(.keyExpired))
    sender.rtpPacketsLeft = 1
    #expect(throws: Never.self) { try sender.protect(.rtp(0, ssrc: 2)).get() }
    #expect(sender.protect(.rtp(1, ssrc: 2)) == .failure(.keyExpired))
  }

  @Test("a key expires after 2^31 RTCP packets", arguments: profiles)
  func endAKeyOfRTCP(profile: ProtectionProfile) throws {
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    sender.nextRTCPIndex = PacketIndex.rtcpEnd - 1
    let last = try sender.protect(.rtcp(), .rtcp).get()
    #expect(try receiver.open(last, .rtcp).get() == .rtcp())
    #expect(sender.protect(.rtcp(ssrc: 2), .rtcp) == .failure(.keyExpired))
  }

  @Test("the receiver keeps no state for SSRCs without authentic packets")
  func keepNoState() throws {
    var receiver = SRTPReceiver(try #require(MasterKey.counting(.aeadAES128GCM)), streams: 4)
    for ssrc in UInt32(0)..<1_000 {
      let forged = [UInt8].rtp(1, ssrc: ssrc)
      #expect(receiver.open(forged) == .failure(.forged))
    }
    #expect(receiver.rtpStreams.count == 0 && receiver.rtpStreams.departedCount == 0)
  }

  @Test("the receiver refuses repeated packets after their stream left the table")
  func acceptNothingAgain() throws {
    let key = try #require(MasterKey.counting(.aeadAES128GCM))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key, streams: 4)
    let most = UInt32(4 + 4 * SRTPStreamTable.departedPerStream)
    let packets = try (0...most).map { try sender.protect(.rtp(1, ssrc: $0)).get() }
    for packet in packets.dropLast() {
      #expect(throws: Never.self) { try receiver.open(packet).get() }
    }
    #expect(receiver.open(packets[Int(most)]) == .failure(.tooManyStreams))
    for packet in packets { #expect(throws: SRTPRefusal.self) { try receiver.open(packet).get() } }
  }
}
