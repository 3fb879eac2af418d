/// An offer of sound and video, to which a test adds text.
struct LargeOffer {
  var version = "0"
  var session: [String] = []
  var audioKind = "audio"
  var audio: [String] = []
  var video: [String] = []

  /// The formats of the video section after the formats 96 and 98.
  var videoFormats = ""
  var mid = "1"

  /// Mids in the bundle that belong to no section.
  var bundle = ""

  /// For each video section after the first two sections, the section's additional lines.
  var sections: [[String]] = []
  var sectionFormats = ""

  private static let transport = [
    "a=ice-ufrag:abcd", "a=ice-pwd:0123456789012345678901", "a=fingerprint:sha-256 00:11",
    "a=setup:actpass",
  ]

  var text: String {
    let mids = ["0", mid] + sections.indices.map { "s\($0)" }
    var lines = ["v=\(version)", "a=group:BUNDLE \(mids.joined(separator: " ")) \(bundle)"]
    lines += session
    lines += ["m=\(audioKind) 9 UDP/TLS/RTP/SAVPF 63 111", "a=mid:0", "a=rtpmap:63 red/48000/2"]
    lines += ["a=rtpmap:111 opus/48000/2"] + Self.transport + audio
    lines += ["m=video 9 UDP/TLS/RTP/SAVPF 96 98" + videoFormats, "a=mid:\(mid)"]
    lines += ["a=rtpmap:96 VP8/90000", "a=rtpmap:98 VP9/90000"] + Self.transport + video
    for (number, section) in sections.enumerated() {
      lines += ["m=video 9 UDP/TLS/RTP/SAVPF 96" + sectionFormats, "a=mid:s\(number)"]
      lines += ["a=rtpmap:96 VP9/90000", "a=recvonly"] + section
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }
}

/// The shapes of offers that a careless parser reads in quadratic time.
enum LargeOfferShape: CaseIterable {
  case longAttribute, spaces, emptyLines, shortAttributes, sessionAttributes
  case marks, unsortedMarks, markedName, markedMid, markedKind, markedVersion, flags
  case sources, oneSource, sourceGroups, longSourceGroup
  case extensions, candidates, fingerprints, parameterLines, manyParameters, feedback
  case repeatedFormats, formatsWithFeedback, formatsWithParameters, redundantTypes
  case layers, alternatives, manySections, sectionsWithFormats, longBundle

  /// Whether the negotiation must refuse the offer.
  var isRefused: Bool { [.markedKind, .markedVersion, .markedMid].contains(self) }

  /// Returns an offer of about `bytes` bytes, with at most 8,192 lines and 128 sections.
  func offer(of bytes: Int) -> LargeOffer {
    var offer = LargeOffer()
    switch self {
    case .longAttribute: offer.audio = ["a=x:" + Self.fill(bytes, with: "y")]
    case .spaces:
      offer.audio = ["a=ssrc:1" + Self.fill(bytes / 2, with: " ")]
      offer.video = ["a=fmtp:98 x=" + Self.fill(bytes / 2, with: " ")]
    case .emptyLines: offer.audio = [Self.fill(bytes, with: "\n")]
    case .shortAttributes: offer.audio = Self.lines(bytes) { "a=attribute-of-a-section:\($0)" }
    case .sessionAttributes: offer.session = Self.lines(bytes) { "a=attribute-of-all:\($0)" }
    default: addText(bytes, to: &offer)
    }
    return offer
  }

  /// Adds text that takes much work to compare or to divide into characters: Swift sorts combining
  /// marks, and pairs the letters of flags.
  private func addText(_ bytes: Int, to offer: inout LargeOffer) {
    let unsorted = Self.fill(bytes / 2, with: "\u{301}\u{323}")
    switch self {
    case .marks: offer.audio = ["a=x:e" + Self.fill(bytes, with: "\u{301}")]
    case .unsortedMarks: offer.video = ["a=fmtp:98 e\(unsorted)=1"]
    case .markedName: offer.audio = ["a=mid\(unsorted):1"]
    case .markedMid: offer.mid = "1" + Self.fill(bytes / 2, with: "\u{301}\u{323}")
    case .markedKind: offer.audioKind = "audio\(unsorted)"
    case .markedVersion: offer.version = "0\(unsorted)"
    case .flags: offer.video = ["a=fmtp:98 x=" + Self.fill(bytes, with: "\u{1F1E9}")]
    default: addAttributes(bytes, to: &offer)
    }
  }

  private func addAttributes(_ bytes: Int, to offer: inout LargeOffer) {
    switch self {
    case .sources: offer.audio = Self.lines(bytes) { "a=ssrc:\($0) cname:name-of-one" }
    case .oneSource: offer.audio = Self.lines(bytes) { "a=ssrc:1 attribute:\($0) of-one" }
    case .sourceGroups: offer.video = Self.lines(bytes) { "a=ssrc-group:FID \($0) 2000000000" }
    case .longSourceGroup: offer.video = ["a=ssrc-group:FID" + Self.fill(bytes, with: " 1")]
    case .extensions:
      offer.audio = Self.lines(bytes) { "a=extmap:\($0 % 250 + 5) urn:an-extension:\($0 % 250)" }
    case .candidates:
      offer.audio = Self.lines(bytes) { "a=candidate:\($0) 1 udp 1 192.0.2.1 9 typ host" }
    case .fingerprints: offer.audio = Self.lines(bytes) { "a=fingerprint:sha-256 AA:BB:CC:\($0)" }
    case .parameterLines: offer.video = Self.lines(bytes) { "a=fmtp:98 profile-id=0;name=\($0)" }
    case .manyParameters: offer.video = ["a=fmtp:98 " + Self.words(bytes, by: ";") { "p\($0)=1" }]
    case .feedback: offer.video = Self.lines(bytes) { _ in "a=rtcp-fb:96 nack" }
    default: addFormats(bytes, to: &offer)
    }
  }

  private func addFormats(_ bytes: Int, to offer: inout LargeOffer) {
    switch self {
    case .repeatedFormats: offer.videoFormats = Self.fill(bytes, with: " 96")
    case .formatsWithFeedback:
      offer.videoFormats = Self.fill(bytes / 2, with: " 96")
      offer.video = Self.lines(bytes / 2) { _ in "a=rtcp-fb:96 nack" }
    case .formatsWithParameters:
      offer.videoFormats = Self.fill(bytes / 2, with: " 96")
      offer.video = ["a=fmtp:96 x=" + Self.fill(bytes / 2, with: "y")]
    case .redundantTypes: offer.audio = ["a=fmtp:63 111" + Self.fill(bytes, with: "/111")]
    case .layers:
      let count = bytes / 48
      offer.video = (0..<count).map { "a=rid:\(String($0, radix: 36)) send" }
      // The list repeats one id `count` times, then names each id once, and begins again.
      offer.video.append(
        "a=simulcast:send "
          + Self.words(bytes / 2, by: ";") { String(max(0, $0 % (2 * count) - count), radix: 36) })
    case .alternatives:
      offer.video = ["a=rid:a send", "a=simulcast:send " + Self.fill(bytes, with: "~b,")]
    default: addSections(bytes, to: &offer)
    }
  }

  private func addSections(_ bytes: Int, to offer: inout LargeOffer) {
    switch self {
    case .manySections:
      offer.sections = Self.lines(bytes) { "a=attribute-of-a-section:\($0)" }.inParts(120)
    case .sectionsWithFormats:
      offer.sectionFormats = (0..<128).map { " \($0)" }.joined()
      offer.sections = [[String]](
        repeating: (96..<127).map { "a=fmtp:\($0) profile-id=0;has=parameters" },
        count: bytes / 2_100)
    case .longBundle: offer.bundle = Self.words(bytes, by: " ") { "m\($0)" }
    default: preconditionFailure("Each shape adds something.")
    }
  }

  private static func fill(_ bytes: Int, with text: String) -> String {
    String(repeating: text, count: bytes / text.utf8.count)
  }

  /// Returns lines of at most `bytes` bytes in total. An offer of 256 KiB has fewer than 8,192 such
  /// lines.
  private static func lines(_ bytes: Int, _ line: (Int) -> String) -> [String] {
    let length = max(34, line(10_000).utf8.count + 2)
    return (0..<bytes / length).map { number in
      let text = line(number)
      return text + String(repeating: "-", count: max(0, length - 2 - text.utf8.count))
    }
  }

  private static func words(_ bytes: Int, by separator: String, _ word: (Int) -> String) -> String {
    var (text, number) = ("", 0)
    while text.utf8.count < bytes {
      text += word(number) + separator
      number += 1
    }
    return text
  }
}

extension [String] {
  fileprivate func inParts(_ count: Int) -> [[String]] {
    let size = (self.count + count - 1) / count
    return stride(from: 0, to: self.count, by: size).map { Array(self[$0...].prefix(size)) }
  }
}
