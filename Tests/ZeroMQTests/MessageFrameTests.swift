import Testing
import ZeroMQ

@Suite struct MessageFrameTests {
  @Test(arguments: [0, 1, 33, 34, 4095, 4096, 100_000])
  func `a frame contains the bytes of its array`(size: Int) {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let frame = MessageFrame(bytes)
    #expect(frame.count == size)
    #expect(frame.isEmpty == (size == 0))
    #expect(frame.bytes == bytes)
    #expect(frame == MessageFrame(copying: bytes.span.bytes))
    #expect(frame.hashValue == MessageFrame(copying: bytes.span.bytes).hashValue)
    #expect(frame.withBytes { $0.byteCount } == size)
  }

  @Test func `a frame that was made from an array does not change when the array changes`() {
    var bytes = [UInt8](repeating: 1, count: 10_000)
    let frame = MessageFrame(bytes)
    bytes[0] = 2
    bytes.append(3)
    #expect(frame.bytes == [UInt8](repeating: 1, count: 10_000))
  }

  @Test func `a frame can be written in place`() {
    let frame = MessageFrame(size: 300) { output in
      for index in 0..<300 { output.append(UInt8(truncatingIfNeeded: index)) }
    }
    #expect(frame.bytes == (0..<300).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func `a frame rethrows an error of its writer`() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try MessageFrame(size: 8) { _ throws(Failure) in throw Failure() }
    }
  }

  @Test func `copies of a frame share one buffer`() {
    let frame = MessageFrame([UInt8](repeating: 7, count: 64))
    let copy = frame
    let addresses = [frame, copy].map { $0.withBytes { $0.withUnsafeBytes { $0.baseAddress } } }
    #expect(addresses[0] == addresses[1])
  }

  @Test func `frames with different bytes or lengths differ`() {
    #expect(MessageFrame("ada") != MessageFrame("adb"))
    #expect(MessageFrame("ada") != MessageFrame("ada "))
  }

  @Test func `a writer that writes too few bytes stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = MessageFrame(size: 2) { $0.append(1 as UInt8) }
    }
  }
}
