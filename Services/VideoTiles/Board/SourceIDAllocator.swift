import MeetingModel

/// The tile ids and SSRCs of a board's sources.
///
/// Each term has its own range of 65,536 tile ids, so that the ids of different owners are
/// different. If the board used an id twice in an epoch, the id could identify the sources of two
/// publishers. So a source that claims an id from this term's range gets a new id.
struct SourceIDAllocator: Sendable {
  private let firstTile: UInt32
  private var nextTile: UInt32
  private var adoptedTiles: Set<TileID> = []
  private var ssrcs: Set<SSRC> = []
  private var random: UInt64

  private static let tilesPerTerm: UInt32 = 1 << 16
  private static let mostAdopted = 4_096

  /// - Parameters:
  ///   - term: The owner's term, which determines the range of ids.
  ///   - seed: The seed of the SSRCs.
  init(term: UInt64, seed: UInt64) {
    firstTile = UInt32(truncatingIfNeeded: (max(term, 1) - 1) % 0x7FFF) * Self.tilesPerTerm + 1
    nextTile = firstTile
    random = seed
  }

  /// Returns a tile id: the claimed id if it is from another term and free, otherwise a new id.
  mutating func tile(claiming claimed: TileID?) -> TileID {
    if let claimed, mayAdopt(claimed) {
      adoptedTiles.insert(claimed)
      return claimed
    }
    while true {
      let number = nextTile
      nextTile = nextTile == .max ? 1 : nextTile + 1
      if let tile = TileID(number), !adoptedTiles.contains(tile) { return tile }
    }
  }

  private func mayAdopt(_ tile: TileID) -> Bool {
    let isOwn =
      tile.number >= firstTile && tile.number < max(nextTile, firstTile + Self.tilesPerTerm)
    return !isOwn && !adoptedTiles.contains(tile) && adoptedTiles.count < Self.mostAdopted
  }

  /// Returns an SSRC that is unique in the meeting: the claimed SSRC if it is free, otherwise a new
  /// SSRC.
  mutating func ssrc(claiming claimed: SSRC?) -> SSRC {
    if let claimed, ssrcs.insert(claimed).inserted { return claimed }
    while true {
      if let drawn = SSRC(draw()), ssrcs.insert(drawn).inserted { return drawn }
    }
  }

  /// Releases the SSRCs of a source. The tile id of the source remains in use.
  mutating func release(_ source: PublishedVideoSource) {
    ssrcs.remove(source.track)
    for layer in source.layers { release(layer) }
  }

  /// Releases the SSRC of a layer.
  mutating func release(_ layer: SimulcastLayer) {
    if let ssrc = layer.ssrc { ssrcs.remove(ssrc) }
  }

  /// Returns a pseudorandom number (SplitMix64).
  private mutating func draw() -> UInt32 {
    random &+= 0x9e37_79b9_7f4a_7c15
    var word = random
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return UInt32(truncatingIfNeeded: word >> 32)
  }
}
