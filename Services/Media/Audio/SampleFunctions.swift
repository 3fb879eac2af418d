/// Functions that move samples between buffers.
enum SampleFunctions {
  /// Fills a buffer with the first samples of another buffer.
  static func copy(_ samples: [Int16], to room: inout [Int16]) {
    let samples = samples.span
    var room = room.mutableSpan
    for index in room.indices { room[index] = samples[index] }
  }

  /// Writes the mean of two interleaved channels into one channel.
  static func mixDown(_ stereo: [Int16], to mono: inout [Int16]) {
    let samples = stereo.span
    var mono = mono.mutableSpan
    for index in mono.indices {
      mono[index] = Int16((Int32(samples[2 * index]) + Int32(samples[2 * index + 1])) / 2)
    }
  }

  /// Writes one channel into both of two interleaved channels.
  static func spread(_ mono: [Int16], to stereo: inout [Int16]) {
    let samples = mono.span
    var stereo = stereo.mutableSpan
    for index in samples.indices {
      stereo[2 * index] = samples[index]
      stereo[2 * index + 1] = samples[index]
    }
  }

  /// Moves `count` samples from `offset` to the start of the buffer.
  static func removeFirst(_ offset: Int, from samples: inout [Int16], keeping count: Int) {
    var samples = samples.mutableSpan
    for index in 0..<count { samples[index] = samples[index + offset] }
  }
}
