import WebRTC

/// Fuzzes offers of browsers. The answer must match the result of the negotiation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: unsafe FuzzInput.bytes(data, count), as: UTF8.self)
  guard let offer = try? SDPOffer(text) else { return 0 }
  let answer = SDPAnswer(
    addresses: [UDPAddress(host: [192, 0, 2, 1], port: 7_401)],
    credentials: ICECredentials(fragment: "here", password: "secret"),
    fingerprint: "sha-256 AA", origin: (1, 1))
  guard let media = try? answer.negotiate(offer) else { return 0 }
  FuzzInput.require(
    (try? answer.negotiate(offer, after: media)) == media, "an offer that is repeated agrees again")
  guard let read = try? SDPOffer(answer.text(of: media)) else {
    fatalError("Broken: an answer can be read")
  }
  requireSession(read, media)
  for (answered, section) in zip(read.sections, media.sections) {
    requireMirror(answered, section)
    if section.isTaken { requireMedia(answered, section) }
  }
  return 0
}

private func requireSession(_ read: SDPOffer, _ media: NegotiatedMedia) {
  FuzzInput.require(
    media.transport.credentials.fragment.utf8.count >= 4, "a browser has a fragment of some length")
  FuzzInput.require(!media.transport.fingerprints.isEmpty, "a browser has a fingerprint")
  FuzzInput.require(read.sections.count == media.sections.count, "every m-line is mirrored")
  FuzzInput.require(read.bundle == media.bundle, "the accepted sections share one transport")
}

private func requireMirror(_ read: SDPOffer.Section, _ section: NegotiatedSection) {
  FuzzInput.require(
    read.kind == section.kind && (read["mid"] ?? "") == section.mid, "an m-line keeps its place")
  FuzzInput.require((read.port != 0) == section.isTaken, "a rejected section has no port")
}

private func requireMedia(_ read: SDPOffer.Section, _ section: NegotiatedSection) {
  let codecs = section.codecs.filter(\.isTaken)
  FuzzInput.require(
    codecs.isEmpty || read.formats == codecs.map { "\($0.payloadType)" },
    "the payload types are those that were negotiated")
  FuzzInput.require(read.direction == section.direction, "the direction is what was negotiated")
  FuzzInput.require(
    read.values("extmap").compactMap { HeaderExtension($0)?.id } == section.extensions.map(\.id),
    "header extensions keep their numbers")
}
