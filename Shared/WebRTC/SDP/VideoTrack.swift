/// A video track that an answer sends to the browser, in its own section.
public struct VideoTrack: Hashable, Sendable {
  /// The source of the track's packets; 0 if the track has ended and the section is inactive.
  public let ssrc: UInt32

  /// The section of the offer; `nil` for the next receive-only section without a track.
  public let mid: String?

  /// - Parameters:
  ///   - ssrc: The source of the track's packets; 0 for a section without packets.
  ///   - mid: The section of the offer; `nil` for the next free section.
  public init(ssrc: UInt32, mid: String? = nil) { (self.ssrc, self.mid) = (ssrc, mid) }

  /// Returns the source of the retransmissions of a track (RFC 4588, §8.3).
  ///
  /// Track sources are random, so the probability that this source equals another track's source is
  /// 1 in 2^32.
  public static func repairSSRC(of ssrc: UInt32) -> UInt32 { ssrc &+ 0x9E37_79B9 }
}

/// An offer's video sections, and the directions of these sections.
struct OfferedVideoSections {
  /// The tracks by the index of their section.
  private var tracks: [Int: UInt32] = [:]

  /// The section in which the browser sends.
  ///
  /// Any other section in which the browser offers to send is inactive.
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

  /// Returns the role of this side in a section.
  func role(of section: Int) -> VideoSectionDirection {
    if section == sending { return .receives }
    guard let ssrc = tracks[section], ssrc != 0 else { return .nothing }
    return .sends(ssrc)
  }
}

/// The role of this side in a video section.
enum VideoSectionDirection: Hashable, Sendable {
  case nothing
  case receives
  /// This side sends the track with this source.
  case sends(UInt32)
}
