import MeetingModel
import Wire

/// A value type for the pictures that one browser receives.
///
/// The inputs are a SUBSCRIBE and the answer of `media`. The outputs are requests to `media` and
/// `video-tiles`.
struct BrowserVideoSubscription {
  /// One source in one section of the SDP offer.
  fileprivate struct Picture {
    let streamID: UInt32
    let tileID: UInt32
    let trackSSRC: UInt32

    /// The section; empty until `media` has chosen a section.
    var mid: String
    var subscription: V1.VideoSubscription

    /// Whether the browser still wants the picture; `false` after the browser has removed the
    /// picture from the section.
    var isWanted = true
  }

  private var pictures: [Picture] = []

  /// The tile of each stream that the browser requested, in the browser's order; `nil` if the
  /// stream no longer exists.
  ///
  /// For a `nil`, the section remains empty, so that the following streams keep their sections.
  private var places: [UInt32?] = []

  /// The maximum number of pictures that one browser receives.
  private static let mostPictures = 100

  /// Creates a value without pictures.
  init() {}

  /// Creates the value that a SUBSCRIBE describes.
  ///
  /// Ignores unknown streams. If the SUBSCRIBE lists several encodings of a source, uses only the
  /// first encoding.
  ///
  /// - Parameters:
  ///   - former: The value before the SUBSCRIBE. The pictures in this value keep their sections.
  ///   - find: Returns the stream with the given id; `nil` if no other attendee sends this stream.
  init(
    _ subscription: BrowserSubscription, after former: BrowserVideoSubscription,
    find: (UInt32) -> NumberedVideoEncoding?
  ) {
    let wishes = Self.byTile(subscription.wishes)
    let wished = Set(wishes.values.map(\.mid))
    var (tiles, mids): (Set<UInt32>, Set<String>) = ([], [])
    for id in subscription.streamIDs {
      guard places.count < Self.mostPictures else { break }
      guard let stream = find(id), tiles.insert(stream.source.tileID).inserted else {
        places.append(nil)
        continue
      }
      places.append(stream.source.tileID)
      let wish = wishes[stream.source.tileID]
      var mid = wish?.mid ?? ""
      if mid.isEmpty { mid = former.mid(of: stream.source, unless: wished) ?? "" }
      if !mid.isEmpty, !mids.insert(mid).inserted { mid = "" }
      pictures.append(Picture(stream, mid, wish, find))
    }
  }

  /// Returns the first request for each tile.
  private static func byTile(_ wishes: [VideoSectionRequest]) -> [UInt32: VideoSectionRequest] {
    Dictionary(wishes.compactMap { wish in wish.tileID.map { ($0, wish) } }) { first, _ in first }
  }

  /// Returns the section of a source; `nil` if the source has no section, or if `wished` contains
  /// the section.
  private func mid(of source: V1.VideoSource, unless wished: Set<String>) -> String? {
    pictures.first {
      $0.tileID == source.tileID && $0.trackSSRC == source.trackSSRC && !wished.contains($0.mid)
    }?.mid
  }

  // MARK: Media

  /// The tracks for which `media` chooses sections.
  var tracks: [V1.NegotiatedTrack] {
    places.map { tile in
      let picture = pictures.first { $0.tileID == tile }
      return V1.NegotiatedTrack(trackSSRC: picture?.trackSSRC ?? 0, mid: picture?.mid ?? "")
    }
  }

  /// Applies the sections of the SDP offer that `media` has chosen. Removes the pictures that have
  /// no section.
  mutating func take(_ tracks: [V1.NegotiatedTrack]) {
    let mids = Dictionary(tracks.map { ($0.trackSSRC, $0.mid) }) { first, _ in first }
    pictures = pictures.compactMap { picture in
      guard let mid = mids[picture.trackSSRC], !mid.isEmpty else { return nil }
      var picture = picture
      picture.mid = mid
      return picture
    }
  }

  /// For each received picture, the stream id, the SSRC, and the label of the track in the SDP
  /// answer. The gateway sends these mappings in SUBSCRIBE_ACK.
  var mappings: [Signaling.SdkTrackMapping] {
    pictures.map {
      .init(streamID: $0.streamID, ssrc: $0.trackSSRC, trackLabel: "v_\($0.mid)")
    }
  }

  // MARK: Changes without an offer

  /// The tiles that have sections.
  var tileIDs: Set<UInt32> { Set(pictures.map(\.tileID)) }

  /// Applies a REMOTE_VIDEO_UPDATE. Ignores entries that match no received picture.
  mutating func take(_ change: VideoSubscriptionChange, find: (UInt32) -> NumberedVideoEncoding?) {
    for index in pictures.indices where change.removedMids.contains(pictures[index].mid) {
      pictures[index].isWanted = false
    }
    for wish in change.wishes {
      guard let index = pictures.firstIndex(where: { $0.isMeant(by: wish) }) else { continue }
      pictures[index].take(wish, find)
    }
  }

  // MARK: Video-tiles

  /// Whether the browser receives any picture.
  var isReceiving: Bool { pictures.contains(where: \.isWanted) }

  /// The current subscriptions, by participant id.
  private var subscriptions: [String: V1.VideoSubscription] {
    let wanted = pictures.filter(\.isWanted).map(\.subscription)
    return Dictionary(wanted.map { ($0.participantID, $0) }) { first, _ in first }
  }

  /// Returns the difference between the subscriptions known to `video-tiles` and the current
  /// subscriptions; `nil` if they are equal.
  ///
  /// - Parameter known: The subscriptions known to `video-tiles`; `nil` while `video-tiles` chooses
  ///   the subscriptions automatically.
  func change(
    from known: V1.VideoSubscriptions?
  ) -> V1.UpdateVideoSubscriptionsRequest? {
    let wanted = subscriptions
    let present = Dictionary(
      (known?.subscriptions ?? []).map { ($0.participantID, $0) }
    ) { first, _ in first }
    let added = wanted.values.filter { present[$0.participantID] != $0 }
    let removed = present.keys.filter { wanted[$0] == nil }
    guard !added.isEmpty || !removed.isEmpty else { return nil }
    return V1.UpdateVideoSubscriptionsRequest(
      addedOrUpdated: added.sorted { $0.participantID < $1.participantID },
      removed: removed.sorted())
  }
}

extension BrowserVideoSubscription.Picture {
  fileprivate init(
    _ stream: NumberedVideoEncoding, _ mid: String, _ wish: VideoSectionRequest?,
    _ find: (UInt32) -> NumberedVideoEncoding?
  ) {
    self.init(
      streamID: stream.id, tileID: stream.source.tileID, trackSSRC: stream.source.trackSSRC,
      mid: mid, subscription: V1.VideoSubscription(stream, wish, find))
  }

  /// Returns whether a request refers to this picture.
  ///
  /// A request that names a tile refers only to the picture of that tile.
  fileprivate func isMeant(by wish: VideoSectionRequest) -> Bool {
    guard let tile = wish.tileID else { return !mid.isEmpty && wish.mid == mid }
    return tile == tileID && (wish.mid.isEmpty || mid.isEmpty || wish.mid == mid)
  }

  fileprivate mutating func take(
    _ wish: VideoSectionRequest, _ find: (UInt32) -> NumberedVideoEncoding?
  ) {
    isWanted = true
    (subscription.priority, subscription.preference) = (wish.priority, wish.preference)
    guard let size = wish.size(of: tileID, find) else { return }
    (subscription.targetWidth, subscription.targetHeight) = (size.width, size.height)
  }
}

extension VideoSectionRequest {
  /// Returns the requested size of a tile; `nil` if the request contains none.
  fileprivate func size(
    of tileID: UInt32, _ find: (UInt32) -> NumberedVideoEncoding?
  ) -> VideoSize? {
    let chosen = streamID.flatMap(find).flatMap { $0.source.tileID == tileID ? $0.size : nil }
    return chosen ?? target
  }
}

extension V1.VideoSubscription {
  /// Creates the subscription to a source.
  ///
  /// The subscription has the size in the request. If the request contains no size, the
  /// subscription has the size of the encoding.
  fileprivate init(
    _ stream: NumberedVideoEncoding, _ wish: VideoSectionRequest?,
    _ find: (UInt32) -> NumberedVideoEncoding?
  ) {
    let target = wish?.size(of: stream.source.tileID, find) ?? stream.size
    self.init(
      participantID: stream.participantID, priority: wish?.priority ?? .high,
      targetWidth: target.width, targetHeight: target.height,
      preference: wish?.preference ?? .unspecified)
  }
}
