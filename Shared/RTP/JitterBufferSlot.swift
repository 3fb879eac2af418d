/// A place for a packet in a ``JitterBuffer``. Its memory stays for the packets that follow.
struct JitterBufferSlot {
  var bytes: [UInt8] = []
  var byteCount = 0
  /// `nil` before the first packet.
  var number: Int64?
  /// The timestamp in samples, without wraps.
  var timestamp: Int64 = 0
  var sampleCount = 0
  var arrival = MediaTime(microseconds: 0)
  var note: UInt8 = 0
  var hasRedundancy = false
  /// Whether it is still to be played.
  var isWaiting = false

  mutating func fill(
    _ number: Int64, _ payload: Span<UInt8>, timestamp: Int64, sampleCount: Int,
    arrival: MediaTime, note: UInt8, hasRedundancy: Bool
  ) {
    if bytes.count < payload.count {
      // A little more, so that packets of about the same size do not grow it again and again.
      bytes = [UInt8](repeating: 0, count: (payload.count + 63) & ~63)
    }
    var room = bytes.mutableSpan
    for index in payload.indices { room[index] = payload[index] }
    byteCount = payload.count
    self.number = number
    self.timestamp = timestamp
    self.sampleCount = sampleCount
    self.arrival = arrival
    self.note = note
    self.hasRedundancy = hasRedundancy
    isWaiting = true
  }

  mutating func forget() {
    number = nil
    isWaiting = false
  }
}
