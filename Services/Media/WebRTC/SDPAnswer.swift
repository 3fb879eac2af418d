/// How media answers browsers: which codecs it takes, and where it is.
struct SDPAnswer {
  /// Where browsers send, one candidate for each.
  let addresses: [UDPAddress]
  let credentials: ICECredentials

  /// Of the certificate, with the name of its hash.
  let fingerprint: String

  /// Numbers that tell this answer from others of its session (RFC 8866, §5.2).
  let origin: (session: UInt64, version: UInt64)

  /// Answers an offer: every m-line is mirrored, every header extension taken.
  ///
  /// - Returns: The answer, and the fragment that the browser's checks name it by.
  /// - Throws: Why it cannot be answered.
  func text(for offer: SDPOffer) throws(SDPOffer.Problem) -> (answer: String, fragment: String) {
    let bundled = Set(offer.bundle)
    let taken = offer.sections.map { Self.isTaken($0, bundled) }
    guard let first = zip(offer.sections, taken).first(where: { $0.1 })?.0 else {
      throw SDPOffer.Problem("The offer has no section that can be answered.")
    }
    let fragment = try Self.fragment(of: offer, first)
    var lines = [
      "v=0", "o=- \(origin.session) \(origin.version) IN IP4 127.0.0.1", "s=-", "t=0 0",
    ]
    let mids = zip(offer.sections, taken).compactMap { $0.1 ? $0.0["mid"] : nil }
    if !mids.isEmpty { lines.append("a=group:BUNDLE " + mids.joined(separator: " ")) }
    lines.append("a=ice-lite")
    if offer.attributes.contains("extmap-allow-mixed") { lines.append("a=extmap-allow-mixed") }
    lines.append("a=msid-semantic: WMS *")
    for (section, isTaken) in zip(offer.sections, taken) {
      lines += isTaken ? answer(to: section) : Self.refusal(of: section)
    }
    return (lines.joined(separator: "\r\n") + "\r\n", fragment)
  }

  // MARK: The offer

  /// Port 0 means that a section is not there, except where it shares another one's transport.
  private static func isTaken(_ section: SDPOffer.Section, _ bundled: Set<String>) -> Bool {
    guard section.kind == "audio" || section.kind == "video",
      section.transport == "UDP/TLS/RTP/SAVPF", let mid = section["mid"], bundled.contains(mid)
    else { return false }
    return section.port != 0 || section["bundle-only"] != nil
  }

  private static func fragment(
    of offer: SDPOffer, _ section: SDPOffer.Section
  ) throws(SDPOffer.Problem) -> String {
    guard let fragment = offer.value("ice-ufrag", of: section),
      (4...256).contains(fragment.utf8.count),
      let password = offer.value("ice-pwd", of: section), (22...256).contains(password.utf8.count)
    else { throw SDPOffer.Problem("The offer has no credentials of ICE.") }
    guard offer.value("fingerprint", of: section) != nil else {
      throw SDPOffer.Problem("The offer has no fingerprint of a certificate.")
    }
    guard ["actpass", "active"].contains(offer.value("setup", of: section) ?? "") else {
      throw SDPOffer.Problem("The offer must take the active part of DTLS, or either.")
    }
    return fragment
  }

  // MARK: Sections

  private static func refusal(of section: SDPOffer.Section) -> [String] {
    let formats = section.formats.joined(separator: " ")
    return ["m=\(section.kind) 0 \(section.transport) \(formats)", "c=IN IP4 0.0.0.0"]
      + (section["mid"].map { ["a=mid:\($0)"] } ?? []) + ["a=inactive"]
  }

  private func answer(to section: SDPOffer.Section) -> [String] {
    let payloads = Payloads(of: section)
    let formats = payloads.taken.isEmpty ? Array(section.formats.prefix(1)) : payloads.taken
    let address = addresses.first
    let family = address?.host.count == 16 ? "IP6" : "IP4"
    var lines = [
      "m=\(section.kind) \(address?.port ?? 9) \(section.transport) "
        + formats.joined(separator: " "),
      "c=IN \(family) \(address?.text ?? "0.0.0.0")",
      // Before the direction: clients in C++ read line by line.
      "a=mid:\(section["mid"] ?? "")",
      "a=ice-ufrag:\(credentials.fragment)", "a=ice-pwd:\(credentials.password)",
      "a=fingerprint:\(fingerprint)", "a=setup:passive", "a=rtcp-mux",
    ]
    if section["rtcp-rsize"] != nil { lines.append("a=rtcp-rsize") }
    for (index, address) in addresses.enumerated() {
      let priority = 2_130_706_431 - 256 * UInt32(index)
      lines.append(
        "a=candidate:\(index + 1) 1 udp \(priority) \(address.text) \(address.port) typ host")
    }
    lines += section.values("extmap").map { "a=extmap:" + Self.extension($0) }
    lines += direction(for: section)
    lines += payloads.lines.filter { line in formats.contains(Payloads.type(of: line)) }
    return lines
  }

  /// One mix comes for all; pictures of browsers are not carried yet.
  private func direction(for section: SDPOffer.Section) -> [String] {
    guard section.kind == "audio" else { return ["a=inactive"] }
    if section["inactive"] != nil { return ["a=inactive"] }
    if section["sendonly"] != nil { return ["a=recvonly"] }
    let sends = section["recvonly"] != nil ? "a=sendonly" : "a=sendrecv"
    return [sends, "a=msid:carillon mix"]
  }

  /// `ID[/direction] URI …`, with the direction from this side.
  private static func `extension`(_ value: String) -> String {
    guard let slash = value.firstIndex(of: "/"), let space = value.firstIndex(of: " "),
      slash < space
    else { return value }
    let turned = ["sendonly": "recvonly", "recvonly": "sendonly"]
    let direction = String(value[value.index(after: slash)..<space])
    return value[...slash] + (turned[direction] ?? direction) + value[space...]
  }
}
