/// A slot for one packet of a ``JitterBuffer``. Later packets reuse the memory of the slot.
struct JitterBufferSlot {
  var bytes: [UInt8] = []
  var byteCount = 0
  /// The unwrapped number; `nil` before the first packet.
  var number: Int64?
  /// The unwrapped timestamp in samples.
  var timestamp: Int64 = 0
  var sampleCount = 0
  var arrival = MonotonicTime(microseconds: 0)
  var note: UInt8 = 0
  var hasRedundancy = false
  /// Whether the packet waits until the buffer plays it.
  var isWaiting = false

  mutating func fill(
    _ number: Int64, _ payload: Span<UInt8>, timestamp: Int64, sampleCount: Int,
    arrival: MonotonicTime, note: UInt8, hasRedundancy: Bool
  ) {
    if bytes.count < payload.count {
      // This code rounds the size up, so that slightly larger packets do not reallocate the storage
      // repeatedly.
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
