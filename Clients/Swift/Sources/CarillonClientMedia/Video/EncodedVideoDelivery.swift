internal import CarillonClientCore
internal import Dispatch
internal import Synchronization

/// The delivery of the encoded frames of one tile to its sinks, on a queue of the tile.
///
/// The first frame that a sink receives is a key frame. If too many frames wait, the delivery drops
/// all frames up to the next key frame.
final class EncodedVideoDelivery: Sendable {
  private struct Recipient {
    let sink: any EncodedVideoSink
    var needsKeyFrame = true
  }

  private struct State {
    var recipients: [Recipient] = []
    /// The frames that wait for the queue.
    var waiting = 0
    /// The number of bytes of these frames.
    var waitingBytes = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carillon.video.encoded")

  /// The maximum number of waiting frames. If more frames wait, the sinks are too slow.
  static let mostWaiting = 60

  /// The maximum number of bytes of the waiting frames.
  static let mostWaitingBytes = 16 << 20

  /// Whether the delivery has no sinks.
  var isEmpty: Bool { state.withLock { $0.recipients.isEmpty } }

  /// Adds a sink.
  ///
  /// - Returns: Whether the delivery did not have the sink before.
  func add(_ sink: any EncodedVideoSink) -> Bool {
    state.withLock { state in
      guard !state.recipients.contains(where: { $0.sink === sink }) else { return false }
      state.recipients.append(Recipient(sink: sink))
      return true
    }
  }

  /// Removes a sink.
  func remove(_ sink: any EncodedVideoSink) {
    state.withLock { $0.recipients.removeAll { $0.sink === sink } }
  }

  /// Removes all sinks.
  func close() { state.withLock { $0.recipients = [] } }

  /// Queues a frame, in order.
  ///
  /// - Returns: `false` if the delivery dropped the frame because too many frames wait. The caller
  ///   must then request a key frame.
  func deliver(_ frame: EncodedFrame) -> Bool {
    let chosen = state.withLock { state -> [any EncodedVideoSink]? in
      let fits =
        state.waiting < Self.mostWaiting
        && state.waitingBytes + frame.data.count <= Self.mostWaitingBytes
      for index in state.recipients.indices where !fits || frame.isKeyFrame {
        state.recipients[index].needsKeyFrame = !fits
      }
      guard fits else { return nil }
      state.waiting += 1
      state.waitingBytes += frame.data.count
      return state.recipients.filter { !$0.needsKeyFrame }.map(\.sink)
    }
    guard let sinks = chosen else { return false }
    queue.async { [self] in
      for sink in sinks where has(sink) { sink.onEncodedFrameReceived(frame: frame) }
      state.withLock { state in
        state.waiting -= 1
        state.waitingBytes -= frame.data.count
      }
    }
    return true
  }

  private func has(_ sink: any EncodedVideoSink) -> Bool {
    state.withLock { $0.recipients.contains { $0.sink === sink } }
  }
}
