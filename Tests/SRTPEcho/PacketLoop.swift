import Glibc
import SRTP

/// Protects and opens the packets of one stream, in batches.
struct PacketLoop: ~Copyable {
  private var sender: SRTPSender
  private var receiver: SRTPReceiver
  private var sequenceNumber: UInt16 = 0

  /// The number of packets in a batch. The loop times whole batches, because reading the clock for
  /// each packet would distort the measurement.
  private static let batch = 32

  init(_ key: MasterKey) {
    sender = SRTPSender(key)
    receiver = SRTPReceiver(key)
  }

  /// - Parameter count: The number of packets. The program rounds the number down to whole batches.
  /// - Returns: The processor time for protecting and for opening a packet, in microseconds.
  mutating func run(_ count: Int, payload: Int) -> String {
    let packet = [UInt8](repeating: 0, count: 12 + payload + sender.rtpOverhead)
    var packets = [[UInt8]](repeating: packet, count: Self.batch)
    var (protecting, opening) = (0.0, 0.0)
    for _ in 0..<(count / Self.batch) {
      number(&packets)
      protecting += microseconds { protect(&packets) }
      opening += microseconds { open(&packets) }
    }
    let done = Double(count / Self.batch * Self.batch)
    return "\(protecting / done) \(opening / done)"
  }

  private mutating func number(_ packets: inout [[UInt8]]) {
    for index in packets.indices {
      sequenceNumber &+= 1
      packets[index][0] = 0x80
      packets[index][2] = UInt8(sequenceNumber >> 8)
      packets[index][3] = UInt8(sequenceNumber & 0xff)
    }
  }

  private mutating func protect(_ packets: inout [[UInt8]]) {
    for index in packets.indices {
      let count = packets[index].count - sender.rtpOverhead
      var elements = packets[index].mutableSpan
      var packet = elements.mutableBytes
      guard case .success = sender.protectRTP(&packet, count: count) else {
        fatalError("A packet could not be protected.")
      }
    }
  }

  private mutating func open(_ packets: inout [[UInt8]]) {
    for index in packets.indices {
      let count = packets[index].count
      var elements = packets[index].mutableSpan
      var packet = elements.mutableBytes
      guard case .success = receiver.openRTP(&packet, count: count) else {
        fatalError("A packet could not be opened.")
      }
    }
  }
}

/// Returns the processor time of a step, in microseconds.
private func microseconds(_ step: () -> Void) -> Double {
  let before = processorTime()
  step()
  return processorTime() - before
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
