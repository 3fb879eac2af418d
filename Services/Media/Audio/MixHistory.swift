/// The last frames of the common mix, for an encoder whose new listeners heard the mix from another
/// encoder.
///
/// Three frames bring an encoder close to the state of one that encoded the mix all the time. The
/// filters of Opus look back 21 ms and depend on the choices for the previous frame.
struct MixHistory {
  private var frames = [MixFrame](repeating: MixFrame(), count: 3)
  /// The index of the oldest frame.
  private var first = 0

  /// Whether a voice was in the last frame.
  var hasSound: Bool { frames[(first + frames.count - 1) % frames.count].hasSound }

  /// Stores a frame and returns an old one for reuse.
  mutating func append(_ frame: inout MixFrame) {
    swap(&frame, &frames[first])
    first = (first + 1) % frames.count
  }

  /// Makes an encoder continue after the last frame.
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
