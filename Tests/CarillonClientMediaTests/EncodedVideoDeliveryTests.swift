import CarillonClientCore
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import Trials

@testable import CarillonClientMedia

/// A sink that records its frames. The sink can block until the test releases it.
final class NotedFrames: EncodedVideoSink {
  let frames = AwaitableEntryList<EncodedFrame>()
  private let gate = DispatchSemaphore(value: 0)
  private let isBlocked: Mutex<Bool>

  init(isBlocked: Bool = false) { self.isBlocked = Mutex(isBlocked) }

  func onEncodedFrameReceived(frame: EncodedFrame) {
    if isBlocked.withLock({ $0 }) { gate.wait() }
    frames.append(frame)
  }

  func release() {
    isBlocked.withLock { $0 = false }
    gate.signal()
  }
}

extension EncodedFrame {
  /// A frame whose data is its number.
  static func numbered(_ number: Int, isKeyFrame: Bool = false) -> EncodedFrame {
    EncodedFrame(
      codec: .h264, data: [UInt8(truncatingIfNeeded: number)], timestampNs: Int64(number),
      isKeyFrame: isKeyFrame, width: 640, height: 360)
  }
}

@Suite(.timeLimit(.minutes(1))) struct EncodedVideoDeliveryTests {
  private let delivery = EncodedVideoDelivery()

  private func times(_ sink: NotedFrames, _ count: Int) async throws -> [Int64] {
    try await sink.frames.wait(for: "\(count) frames") { $0.count >= count }.map(\.timestampNs)
  }

  @Test func `each sink begins with a key frame`() async throws {
    let (early, late) = (NotedFrames(), NotedFrames())
    #expect(delivery.add(early))
    for number in 0..<4 { #expect(delivery.deliver(.numbered(number, isKeyFrame: number == 1))) }
    #expect(delivery.add(late))
    #expect(!delivery.add(late))
    for number in 4..<7 { #expect(delivery.deliver(.numbered(number, isKeyFrame: number == 5))) }
    #expect(try await times(early, 6) == [1, 2, 3, 4, 5, 6])
    #expect(try await times(late, 2) == [5, 6])
  }

  @Test func `a removed sink receives no further frames`() async throws {
    let (removed, remaining) = (NotedFrames(), NotedFrames())
    #expect(delivery.add(removed) && delivery.add(remaining))
    #expect(delivery.deliver(.numbered(0, isKeyFrame: true)))
    _ = try await times(removed, 1)
    delivery.remove(removed)
    #expect(delivery.deliver(.numbered(1)))
    #expect(try await times(remaining, 2) == [0, 1])
    #expect(removed.frames.entries.count == 1)
    delivery.close()
    #expect(delivery.isEmpty)
  }

  @Test func `a slow sink loses frames up to the next key frame, and memory stays bounded`()
    async throws
  {
    let sink = NotedFrames(isBlocked: true)
    let most = EncodedVideoDelivery.mostWaiting
    #expect(delivery.add(sink))
    for number in 0..<most { #expect(delivery.deliver(.numbered(number, isKeyFrame: number == 0))) }
    #expect(!delivery.deliver(.numbered(most)))
    #expect(!delivery.deliver(.numbered(most + 1, isKeyFrame: true)))
    sink.release()
    _ = try await times(sink, most)
    try await eventually("the queue is empty") { delivery.deliver(.numbered(most + 2)) }
    #expect(delivery.deliver(.numbered(most + 3, isKeyFrame: true)))
    let times = try await times(sink, most + 1)
    #expect(times == Array(0..<Int64(most)) + [Int64(most + 3)])
    let large = EncodedFrame(
      codec: .h264, data: [UInt8](repeating: 0, count: EncodedVideoDelivery.mostWaitingBytes + 1),
      timestampNs: 0, isKeyFrame: true, width: 0, height: 0)
    #expect(!delivery.deliver(large))
  }
}
