/// The sorted transit times of the last packets: a sliding window over 5 s of 20 ms packets.
struct PacketTransitTimes {
  static let capacity = 250

  /// The transit times in order of arrival, from `oldest` on.
  private var recent: [Int64] = []
  private var oldest = 0
  private var sorted: [Int64] = []

  var count: Int { recent.count }

  /// Adds a packet's transit time in microseconds. A full window drops its oldest transit time.
  mutating func append(_ transit: Int64) {
    if recent.isEmpty { reserve() }
    if count < Self.capacity {
      recent.append(transit)
    } else {
      sorted.remove(at: position(of: recent[oldest]))
      recent[oldest] = transit
      oldest = (oldest + 1) % Self.capacity
    }
    sorted.insert(transit, at: position(of: transit))
  }

  /// Removes all packets.
  mutating func removeAll() {
    recent.removeAll(keepingCapacity: true)
    sorted.removeAll(keepingCapacity: true)
    oldest = 0
  }

  /// Returns a transit time such that at most the given share of the packets took longer. The
  /// window must not be empty.
  ///
  /// - Parameter share: The share, between 0 and 1 exclusive.
  func transit(exceededBy share: Float) -> Int64 {
    sorted[count - 1 - Int(Float(count) * share)]
  }

  private mutating func reserve() {
    recent.reserveCapacity(Self.capacity)
    sorted.reserveCapacity(Self.capacity + 1)
  }

  /// Returns the first index whose transit time is not less than `transit`.
  private func position(of transit: Int64) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < transit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
