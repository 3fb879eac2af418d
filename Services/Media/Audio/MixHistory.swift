/// The last frames of the common mix, for encoders that others heard it from before.
///
/// Three frames bring an encoder to about the state of one that encoded the mix all the time: the
/// filters of Opus look back 21 ms and depend on what was chosen for the frame before.
struct MixHistory {
  private var frames = [MixFrame](repeating: MixFrame(), count: 3)
  /// The oldest.
  private var first = 0

  /// Whether anybody was in the last frame.
  var hasSound: Bool { frames[(first + frames.count - 1) % frames.count].hasSound }

  /// Takes a frame and gives an old one, to be used again.
  mutating func append(_ frame: inout MixFrame) {
    swap(&frame, &frames[first])
    first = (first + 1) % frames.count
  }

  /// Lets an encoder go on after the last frame.
  mutating func show(to output: MixOutput) {
    output.beginTakeOver()
    for offset in frames.indices {
      let index = (first + offset) % frames.count
      if output.kind == .stereo48K { frames[index].spreadIfNeeded() }
      output.show(frames[index].samples(output.kind))
    }
  }

  /// Makes silence of it.
  mutating func clear() {
    for index in frames.indices where frames[index].hasSound { frames[index].clear() }
  }
}
