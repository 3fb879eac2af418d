/// The last frames of the common mix. When listeners change from one encoder to another, the new
/// encoder first encodes these frames without sending them.
///
/// After three frames, the state of the new encoder is close to the state of the old encoder. This
/// state depends on the last 21 ms of sound, which the filters of Opus use, and on the encoder's
/// choices for the previous frame.
struct MixHistory {
  private var frames = [MixFrame](repeating: MixFrame(), count: 3)
  /// The index of the oldest frame.
  private var first = 0

  /// Whether the last frame contains a voice.
  var hasSound: Bool { frames[(first + frames.count - 1) % frames.count].hasSound }

  /// Stores a frame, and returns an old frame for reuse.
  mutating func append(_ frame: inout MixFrame) {
    swap(&frame, &frames[first])
    first = (first + 1) % frames.count
  }

  /// Passes the stored frames to an output, so that the output's encoder can continue after the
  /// last frame.
  mutating func show(to output: MixOutput) {
    output.beginTakeOver()
    for offset in frames.indices {
      let index = (first + offset) % frames.count
      if output.kind == .stereo48K { frames[index].spreadIfNeeded() }
      output.show(frames[index].samples(output.kind))
    }
  }

  /// Fills all frames with silence.
  mutating func clear() {
    for index in frames.indices where frames[index].hasSound { frames[index].clear() }
  }
}
