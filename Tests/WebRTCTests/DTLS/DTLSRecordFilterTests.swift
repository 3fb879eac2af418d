import Testing

@testable import WebRTC

@Suite("DTLS record filter")
struct DTLSRecordFilterTests {
  private let filter = DTLSRecordFilter(messageBytes: 1_000)

  /// Returns a handshake message of three bytes that claims this length.
  private func handshake(claiming length: Int) -> DTLSRecord {
    let high = UInt8(length >> 8 & 0xff)
    return DTLSRecord(
      type: DTLSRecord.handshake,
      content: [
        1, UInt8(length >> 16), high, UInt8(length & 0xff), 0, 0, 0, 0, 0, 0, 0, 3, 7, 8, 9,
      ])
  }

  @Test("the filter passes handshake messages, changes of cipher and encrypted alerts")
  func passes() {
    let records = [
      handshake(claiming: 1_000), DTLSRecord(type: 20, content: [1]),
      DTLSRecord(type: DTLSRecord.handshake, epoch: 1, content: [1, 2, 3]),
      DTLSRecord(type: DTLSRecord.alert, epoch: 1, content: [4, 5]),
    ]
    let datagram = records.flatMap(\.bytes)
    #expect(filter.pass(datagram) == .init(bytes: datagram))
  }

  @Test("the filter drops records of application data or of invalid epochs or types, and no others")
  func drops() {
    let good = handshake(claiming: 3).bytes
    for type in UInt8.min...UInt8.max {
      let epochs: [UInt16] = [20, 21, 22].contains(type) ? [2, 0xffff] : [0, 1, 2]
      for epoch in epochs {
        let record = DTLSRecord(type: type, epoch: epoch, content: [1, 0]).bytes
        #expect(filter.pass(record + good) == .init(bytes: good), "type \(type), epoch \(epoch)")
      }
    }
  }

  @Test("the filter drops unencrypted alerts and reports the last fatal alert")
  func dropsClearAlerts() {
    let warning = DTLSRecord(type: DTLSRecord.alert, content: [1, 0]).bytes
    #expect(filter.pass(warning) == .init())
    let fatal = DTLSRecord.fatalAlert(40, sequence: 0).bytes
    #expect(filter.pass(fatal + warning) == .init(clearAlert: 40))
  }

  @Test("the filter drops handshake messages with excessive lengths anywhere in a record")
  func dropsLongMessages() {
    #expect(filter.pass(handshake(claiming: 1_001).bytes) == .init())
    #expect(filter.pass(handshake(claiming: 0xff_ffff).bytes) == .init())
    let both = handshake(claiming: 3).content + handshake(claiming: 1_001).content
    #expect(filter.pass(DTLSRecord(type: 22, content: both).bytes) == .init())
  }

  @Test("the filter stops at a truncated record or at bytes of another protocol")
  func stops() {
    let good = handshake(claiming: 3).bytes
    for count in 1..<good.count {
      #expect(filter.pass(good + good.prefix(count)) == .init(bytes: good))
    }
    var other = good
    other[1] = 3
    #expect(filter.pass(other + good) == .init())
    #expect(filter.pass([]) == .init())
  }
}
