/// Offers of browsers: what is answered has an answer that mirrors it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: unsafe FuzzInput.bytes(data, count), as: UTF8.self)
  guard let offer = try? SDPOffer(text) else { return 0 }
  let making = SDPAnswer(
    addresses: [UDPAddress(host: [192, 0, 2, 1], port: 7_401)],
    credentials: ICECredentials(fragment: "here", password: "secret"),
    fingerprint: "sha-256 AA", origin: (1, 1))
  guard let (answer, fragment) = try? making.text(for: offer) else { return 0 }
  FuzzInput.require(fragment.utf8.count >= 4, "a browser is known by a word of some length")
  guard let read = try? SDPOffer(answer) else {
    fatalError("Broken: an answer can be read")
  }
  FuzzInput.require(
    read.sections.map(\.kind) == offer.sections.map(\.kind)
      && read.sections.map { $0["mid"] } == offer.sections.map { $0["mid"] },
    "every m-line is mirrored")
  let bundled = Set(read.bundle)
  FuzzInput.require(
    read.sections.allSatisfy { $0.port != 0 || !bundled.contains($0["mid"] ?? "") },
    "what has no port is not bundled")
  return 0
}
