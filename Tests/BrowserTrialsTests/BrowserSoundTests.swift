import MeetingModel
import Output
import RTP
import Testing
import WebRTC

@testable import BrowserTrials

@Suite(.timeLimit(.minutes(1))) struct BrowserSoundTests {
  @Test(arguments: [
    ("1 1 udp 2130706431 192.0.2.7 40000 typ host", "192.0.2.7", 40_000),
    ("1 1 UDP 2130706431 192.0.2.7 40000 typ host", "192.0.2.7", 40_000),
  ]) func `the transport reads the address of a UDP candidate with an IPv4 address`(
    candidate: String, host: String, port: UInt16
  ) throws {
    let address = try #require(BrowserTransport.address(candidate))
    #expect(address.text == host)
    #expect(address.port == port)
  }

  @Test(arguments: [
    "", "1 1 udp 2130706431 2001:db8::1 40000 typ host", "1 2 udp 1 192.0.2.7 40000 typ host",
    "1 1 tcp 1 192.0.2.7 40000 typ host", "1 1 udp 1 192.0.2.7 70000 typ host",
    "1 1 udp 1 192.0.2 40000 typ host",
  ]) func `the transport reads no address from other candidates`(candidate: String) {
    #expect(BrowserTransport.address(candidate) == nil)
  }

  @Test(arguments: [(0, 127, false), (32_767, 0, true), (3_277, 20, true), (3, 81, false)])
  func `the level of samples is in decibels below full scale`(
    sample: Int16, attenuation: UInt8, isSpeech: Bool
  ) {
    let level = BrowserSound.level(of: [Int16](repeating: sample, count: 960))
    #expect(level.attenuation == attenuation)
    #expect(level.isSpeech == isSpeech)
  }

  @Test func `the offer has one section with sound in both directions`() async throws {
    let sound = try BrowserSound()
    let offer = try SDPOffer(await sound.offer)
    await sound.close()
    #expect(offer.sections.map(\.kind) == ["audio"])
    #expect(offer.sections[0]["sendrecv"] == "")
    #expect(offer.sections[0]["setup"] == "actpass")
    #expect(offer.bundle == ["0"])
  }

  @Test func `connecting fails without an address, and times out without an answer`() async throws {
    let sound = try BrowserSound()
    await #expect(throws: CommandFailure.self) {
      try await sound.connect("v=0\r\nm=audio 9 x 1\r\n", within: .seconds(5))
    }
    let silent =
      "v=0\r\nm=audio 9 x 1\r\na=ice-ufrag:abcd\r\na=ice-pwd:0123456789012345678901\r\n"
      + "a=candidate:1 1 udp 1 127.0.0.1 9 typ host\r\n"
    await #expect(throws: CommandFailure.self) {
      try await sound.connect(silent, within: .milliseconds(50))
    }
    await sound.close()
    await sound.say([1, 2, 3])
  }
}
