/// A payload type of a section, with all lines of the offer that describe this payload type.
public struct NegotiatedCodec: Hashable, Sendable {
  /// The number in packets, 0-127.
  public let payloadType: UInt8

  /// The value of `a=rtpmap` after the number, for example `opus/48000/2`; `nil` for a static
  /// payload type that has no such line (RFC 3551, §6).
  public let encoding: String?

  /// The value of `a=fmtp` after the number; `nil` if the offer has no such line.
  public let parameters: String?

  /// The values of `a=rtcp-fb` after the number, in order (RFC 4585, §4.2).
  public internal(set) var feedback: [String]

  /// Whether the answer accepts the payload type.
  public internal(set) var isTaken = false

  /// The encoding's name in lower case; empty if there is no encoding.
  public var name: String { Self.lowercased(part: 0, of: encoding) }

  /// The clock rate of the RTP timestamp, in Hz; `nil` if there is no encoding.
  public var clockRate: Int? { Int(Self.lowercased(part: 1, of: encoding)) }

  /// The number of audio channels (RFC 8866, §6.6).
  public var channels: Int { Int(Self.lowercased(part: 2, of: encoding)) ?? 1 }

  /// The payload type that this payload type retransmits (RFC 4588, §8.1); `nil` for other codecs.
  public var repeatedType: UInt8? {
    guard name == "rtx" else { return nil }
    guard let text = FormatParameters(parameters)["apt"], text.allSatisfy(\.isWholeNumber) else {
      return nil
    }
    return UInt8(text)
  }

  /// The payload types of the blocks in redundant audio packets (RFC 2198, §5), starting with the
  /// primary block; `nil` for other codecs and for parameters without types.
  public var copiedTypes: [UInt8]? {
    guard name == "red", clockRate == 48_000, let parameters else { return nil }
    let types = parameters.split(separator: "/").map { UInt8($0) }
    guard types.count > 1, !types.contains(nil) else { return nil }
    return types.compactMap(\.self)
  }

  /// The packetization mode of H.264 (RFC 6184, §5.4): 0 or 1; `nil` for other modes and other
  /// codecs.
  ///
  /// In mode 0, each packet contains exactly one NAL unit. In mode 1, packets may also contain
  /// several NAL units or a fragment of a NAL unit. If the offer states no mode, the mode is 0.
  public var packetizationMode: Int? {
    guard name == "h264" else { return nil }
    switch FormatParameters(parameters)["packetization-mode"] {
    case nil, "0": return 0
    case "1": return 1
    default: return nil
    }
  }

  /// Whether the answer accepts feedback on the arrival of each packet (transport-cc).
  ///
  /// The offer must list this feedback for the codec, and packets must be able to carry
  /// transport-wide sequence numbers.
  public internal(set) var isTransportWide = false

  /// The feedback that the answer accepts: `nack`, `nack pli`, `ccm fir`, and one format of
  /// congestion control. This format is `transport-cc` if possible, and otherwise `goog-remb`.
  public var takenFeedback: [String] {
    let congestion = isTransportWide ? "transport-cc" : "goog-remb"
    return feedback.filter { $0 == congestion || Self.knownFeedback.contains($0) }
  }

  private static let knownFeedback: Set<String> = ["nack", "nack pli", "ccm fir"]

  private static func lowercased(part: Int, of encoding: String?) -> String {
    let parts = encoding?.lowercased().split(separator: "/") ?? []
    return part < parts.count ? String(parts[part]) : ""
  }
}

extension NegotiatedCodec {
  /// Reads the codecs of a section in the section's order, and marks the codecs that `media`
  /// accepts.
  ///
  /// If the section repeats a payload type, the repetition has no effect. Without this rule, an
  /// answer would repeat all lines of the payload type with each repetition, so the length of the
  /// answer would grow with the square of the length of the offer.
  static func all(of section: SDPOffer.Section) -> [NegotiatedCodec] {
    let lines = PayloadTypeLines(section)
    var known: Set<UInt8> = []
    var codecs = section.formats.compactMap { lines.codec($0) }
      .filter { known.insert($0.payloadType).inserted }
    let carried = Set(codecs.filter { $0.isCarried(in: section.kind) }.map(\.payloadType))
    let isNumbered = section.hasTransportWideNumbers
    for index in codecs.indices {
      codecs[index].isTaken = codecs[index].neededTypes.allSatisfy(carried.contains)
      codecs[index].isTransportWide =
        isNumbered && codecs[index].feedback.contains("transport-cc")
    }
    return codecs
  }

  /// The payload types that the answer must accept together with this payload type.
  private var neededTypes: [UInt8] { copiedTypes ?? [repeatedType ?? payloadType] }

  /// Returns whether `media` accepts the codec.
  ///
  /// An answer that accepts a codec also accepts the codec's retransmissions.
  private func isCarried(in kind: String) -> Bool {
    switch encoding?.lowercased() {
    case "opus/48000/2": kind == "audio"
    case "vp8/90000": kind == "video"
    case "h264/90000": kind == "video" && isConstrainedBaseline
    case "vp9/90000": kind == "video" && hasProfileZero(named: "profile-id")
    case "av1/90000": kind == "video" && hasProfileZero(named: "profile")
    default: false
    }
  }

  /// Whether the codec is H.264 in its constrained baseline profile, in packetization mode 0 or 1
  /// (RFC 6184, §8.1).
  private var isConstrainedBaseline: Bool {
    let profile = FormatParameters(parameters)["profile-level-id"].flatMap(H264ProfileLevel.init)
    return packetizationMode != nil && profile?.isConstrainedBaseline == true
  }

  /// Returns whether the codec is VP9 in profile 0, or AV1 in its main profile, whose number is
  /// also 0.
  ///
  /// If the offer contains no profile parameter, both codecs have profile 0 (RFC 9628, section 6;
  /// AOMedia, "RTP Payload Format For AV1", section 7.2).
  private func hasProfileZero(named name: String) -> Bool {
    FormatParameters(parameters)[name].map { $0 == "0" } ?? true
  }
}

extension SDPOffer.Section {
  fileprivate var hasTransportWideNumbers: Bool {
    values("extmap").contains {
      HeaderExtension($0)?.uri == HeaderExtension.transportWideNumber
    }
  }
}

/// The lines that describe single payload types of a section, by payload type.
private struct PayloadTypeLines {
  private let encodings: [Substring: String]
  private let parameters: [Substring: String]
  private let feedback: [Substring: [String]]

  init(_ section: SDPOffer.Section) {
    encodings = Self.last(section.values("rtpmap").filter { $0.split(separator: " ").count == 2 })
    parameters = Self.last(section.values("fmtp"))
    feedback = Dictionary(grouping: section.values("rtcp-fb"), by: Self.type)
      .mapValues { $0.map(Self.rest) }
  }

  /// Returns the codec of a format; `nil` if the format is not a payload type.
  func codec(_ format: String) -> NegotiatedCodec? {
    guard let type = UInt8(format), type < 128, "\(type)" == format else { return nil }
    let key = format[...]
    return NegotiatedCodec(
      payloadType: type, encoding: encodings[key], parameters: parameters[key],
      feedback: feedback[key] ?? [])
  }

  private static func last(_ values: [String]) -> [Substring: String] {
    Dictionary(values.map { (type($0), rest($0)) }) { $1 }
  }

  private static func type(_ value: String) -> Substring { value.prefix { $0 != " " } }

  private static func rest(_ value: String) -> String {
    String(value.drop { $0 != " " }.dropFirst())
  }
}
