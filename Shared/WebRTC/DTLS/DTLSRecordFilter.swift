/// The filter that decides which records of a datagram OpenSSL receives.
///
/// The filter passes handshake messages, ChangeCipherSpec messages, and encrypted alerts of the
/// first two epochs.
///
/// The filter drops unencrypted alerts, because an attacker on the path could forge an alert to end
/// a session. RFC 6347 (§4.1.2.7) allows this. The filter also drops overlong handshake messages,
/// malformed records, and application data, which Carillon does not use.
struct DTLSRecordFilter {
  /// The maximum size of a handshake message, in bytes (``DTLSHandshakeLimits/messageBytes``).
  let messageBytes: Int

  /// The records that the filter passes, and the last alert that it drops.
  struct Passed: Hashable {
    var bytes: [UInt8] = []

    /// The last unencrypted fatal alert.
    var clearAlert: UInt8?
  }

  /// The size of a record's header in bytes: type, version, epoch, sequence number, length.
  private static let headerLength = 13

  /// The size of a handshake message's header in bytes: type, length, sequence number, fragment.
  private static let messageHeaderLength = 12

  /// The maximum size of a record's content (RFC 5246, §6.2.3).
  private static let longestContent = 16_384 + 2_048

  /// Reads records up to the first record that is truncated or is not DTLS.
  func pass(_ datagram: [UInt8]) -> Passed {
    var passed = Passed()
    var rest = datagram[...]
    while let record = Self.nextRecord(of: &rest) { judge(record, &passed) }
    return passed
  }

  private static func nextRecord(of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.count >= headerLength, rest[rest.startIndex + 1] == 0xfe else { return nil }
    let length = number(rest.dropFirst(11).prefix(2))
    guard length <= longestContent, rest.count >= headerLength + length else { return nil }
    defer { rest = rest.dropFirst(headerLength + length) }
    return rest.prefix(headerLength + length)
  }

  private func judge(_ record: ArraySlice<UInt8>, _ passed: inout Passed) {
    let epoch = Self.number(record.dropFirst(3).prefix(2))
    let content = record.dropFirst(Self.headerLength)
    switch (ContentType(rawValue: record[record.startIndex]), epoch) {
    case (.changeCipherSpec, 0), (.alert, 1), (.handshake, 1): passed.bytes += record
    case (.handshake, 0) where areShort(content): passed.bytes += record
    case (.alert, 0): passed.clearAlert = Self.fatalAlert(content) ?? passed.clearAlert
    default: break
    }
  }

  /// Returns whether no message of a record claims a size above ``messageBytes``.
  private func areShort(_ messages: ArraySlice<UInt8>) -> Bool {
    var rest = messages
    while rest.count >= Self.messageHeaderLength {
      guard Self.number(rest.dropFirst().prefix(3)) <= messageBytes else { return false }
      rest = rest.dropFirst(Self.messageHeaderLength + Self.number(rest.dropFirst(9).prefix(3)))
    }
    return true
  }

  private static func fatalAlert(_ content: ArraySlice<UInt8>) -> UInt8? {
    content.count == 2 && content.first == 2 ? content.last : nil
  }

  /// Reads a number of up to four bytes, with the most significant byte first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a number of up to eight bytes, with the most significant byte first.
  static func wideNumber(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A record and its parts.
  struct Record: Hashable {
    let type: UInt8
    let epoch: UInt64

    /// The number of the record in its epoch.
    let number: UInt64

    /// The epoch and the number, as on the wire.
    let wireNumber: [UInt8]
    let fragment: [UInt8]

    fileprivate init(_ bytes: ArraySlice<UInt8>) {
      type = bytes[bytes.startIndex]
      wireNumber = Array(bytes.dropFirst(3).prefix(8))
      epoch = DTLSRecordFilter.wideNumber(wireNumber.prefix(2))
      number = DTLSRecordFilter.wideNumber(wireNumber.suffix(6))
      fragment = Array(bytes.dropFirst(headerLength))
    }
  }

  /// Returns the records of a datagram up to the first record that is truncated or is not DTLS.
  static func records(of datagram: [UInt8]) -> [Record] {
    var (records, rest) = ([Record](), datagram[...])
    while let record = nextRecord(of: &rest) { records.append(Record(record)) }
    return records
  }

  /// The content type of a record (RFC 5246, §6.2.1).
  private enum ContentType: UInt8 {
    case changeCipherSpec = 20
    case alert = 21
    case handshake = 22
  }
}
