/// A video track that an answer sends to the browser, in a section of its own.
public struct VideoTrack: Hashable, Sendable {
  /// The source of its packets; 0: there is nothing to send any more, and the section is inactive.
  public let ssrc: UInt32

  /// The section of the offer; `nil`: the next one that only receives and that no other track has.
  public let mid: String?

  /// - Parameters:
  ///   - ssrc: The source of its packets; 0 for a section without any.
  ///   - mid: The section of the offer; `nil`: the next free one.
  public init(ssrc: UInt32, mid: String? = nil) { (self.ssrc, self.mid) = (ssrc, mid) }

  /// The source of the packets that repeat those of a track (RFC 4588, §8.3).
  ///
  /// Track sources are random, so that this one is another track's by chance once in 2^32.
  public static func repairSSRC(of ssrc: UInt32) -> UInt32 { ssrc &+ 0x9E37_79B9 }
}

/// Which sections of an offer carry pictures, and in which direction.
struct VideoPlan {
  /// The tracks by the index of their section.
  private var tracks: [Int: UInt32] = [:]

  /// The section in which the browser sends; the others of its cameras are inactive.
  private let sending: Int?

  init(_ offer: SDPOffer, _ wanted: [VideoTrack]) {
    let videos = offer.sections.indices.filter { offer.sections[$0].kind == "video" }
    sending = videos.first {
      [.sendReceive, .sendOnly].contains(offer.sections[$0].direction)
    }
    var free = videos.filter { offer.sections[$0].direction == .receiveOnly }
    let places = Dictionary(free.map { (offer.sections[$0]["mid"] ?? "", $0) }) { first, _ in first
    }
    for track in wanted {
      guard let place = track.mid.flatMap({ places[$0] }), tracks[place] == nil else { continue }
      tracks[place] = track.ssrc
    }
    free.removeAll { tracks[$0] != nil }
    for (track, place) in zip(wanted.filter { $0.mid == nil }, free) { tracks[place] = track.ssrc }
  }

  /// Returns what a section does.
  func role(of section: Int) -> VideoRole {
    if section == sending { return .receives }
    guard let ssrc = tracks[section], ssrc != 0 else { return .nothing }
    return .sends(ssrc)
  }
}

/// What this side does in a section of pictures.
enum VideoRole: Hashable, Sendable {
  case nothing
  case receives
  /// It sends the track with this source.
  case sends(UInt32)
}
