import WebRTC

/// The peer's offers and answers (RFC 8829).
extension BrowserPeer {
  /// The offer of the peer's sound and video.
  var offer: String {
    let audio =
      [
        "m=audio 9 UDP/TLS/RTP/SAVPF \(AudioPacket.payloadType)", "a=mid:0",
        "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level", "a=sendrecv",
        "a=rtpmap:\(AudioPacket.payloadType) opus/48000/2",
        "a=fmtp:\(AudioPacket.payloadType) minptime=10;useinbandfec=1",
        "a=ssrc:\(ssrc) cname:bench",
      ]
    let sections =
      switch video {
      case .none: [audio]
      case .sends: [audio, videoSection(1, "sendonly") + ["a=ssrc:\(videoSSRC) cname:bench"]]
      case .receives(let count): [audio] + (0..<count).map { videoSection($0 + 1, "recvonly") }
      }
    return description(sections)
  }

  /// Returns the peer's answer to a server's offer: the peer receives everything.
  func answer(to offer: String) throws -> String {
    let offer = try SDPOffer(offer)
    let sections = offer.sections.enumerated().map { index, section in
      let formats = section.formats.joined(separator: " ")
      let described = ["rtpmap", "fmtp", "rtcp-fb"].flatMap { name in
        section.values(name).map { "a=\(name):\($0)" }
      }
      return [
        "m=\(section.kind) 9 \(section.transport) \(formats)",
        "a=mid:\(section["mid"] ?? "\(index)")", "a=recvonly",
      ] + described
    }
    return description(sections)
  }

  private func videoSection(_ mid: Int, _ direction: String) -> [String] {
    let type = VideoPacketGenerator.payloadType
    return [
      "m=video 9 UDP/TLS/RTP/SAVPF \(type)", "a=mid:\(mid)", "a=\(direction)",
      "a=rtpmap:\(type) VP8/90000", "a=rtcp-fb:\(type) nack", "a=rtcp-fb:\(type) nack pli",
      "a=rtcp-fb:\(type) ccm fir",
    ]
  }

  private func description(_ sections: [[String]]) -> String {
    let mids = sections.compactMap { $0.first { $0.hasPrefix("a=mid:") }?.dropFirst(6) }
    let head = [
      "v=0", "o=- \(ssrc) 2 IN IP4 127.0.0.1", "s=-", "t=0 0",
      "a=group:BUNDLE \(mids.joined(separator: " "))",
    ]
    let transport = [
      "c=IN IP4 0.0.0.0", "a=rtcp:9 IN IP4 0.0.0.0", "a=ice-ufrag:\(credentials.fragment)",
      "a=ice-pwd:\(credentials.password)", "a=fingerprint:\(identity.fingerprint)",
      "a=setup:active", "a=rtcp-mux",
      "a=candidate:1 1 udp 2130706431 \(address.text) \(address.port) typ host",
      "a=end-of-candidates",
    ]
    let body = sections.flatMap { $0.prefix(1) + transport + $0.dropFirst() }
    return (head + body + [""]).joined(separator: "\r\n")
  }
}
