/// The record layer of an association whose handshake is done (RFC 6347, §4.1).
///
/// This layer replaces OpenSSL's session, which uses about 40 KB. The layer reads and writes
/// alerts. If a client has lost the server's last flight, the layer sends the flight again
/// (§4.2.4).
struct DTLSRecordLayer {
  /// The result of reading a datagram.
  enum Arrival: Hashable {
    /// The other side needs no answer.
    case nothing

    /// The peer needs these datagrams.
    case answer([[UInt8]])

    /// The peer ended the association.
    case closed
  }

  /// The number of the last record sent in epoch 1, and the nonce of that record.
  struct Position: Hashable {
    var number: UInt64
    var nonce: UInt64
  }

  private let readKey: DTLSRecordKey
  private let writeKey: DTLSRecordKey

  /// A server's last flight; empty for a client.
  private let lastFlight: [[UInt8]]
  private var sent: Position

  /// The highest number of an authentic record of the peer; `nil` before the first such record.
  private var newest: UInt64?

  private static let alert: UInt8 = 21
  private static let handshake: UInt8 = 22

  /// - Parameters:
  ///   - lastFlight: The datagrams that end the handshake; empty for a client.
  ///   - sent: The position of the last record that OpenSSL wrote.
  init(
    _ role: DTLSRole, _ keys: (client: DTLSRecordKey, server: DTLSRecordKey),
    lastFlight: [[UInt8]], sent: Position
  ) {
    (self.lastFlight, self.sent) = (role == .server ? lastFlight : [], sent)
    readKey = role == .server ? keys.client : keys.server
    writeKey = role == .server ? keys.server : keys.client
  }

  /// Reads the records of a datagram that a ``DTLSRecordFilter`` has passed.
  ///
  /// Ignores records that are not authentic, and records that have already arrived.
  mutating func receive(_ datagram: [UInt8]) -> Arrival {
    var result = Arrival.nothing
    for record in DTLSRecordFilter.records(of: datagram) where record.epoch == 1 {
      switch read(record) {
      case .closed: return .closed
      case .answer(let datagrams): result = .answer(datagrams)
      case .nothing: break
      }
    }
    return result
  }

  private mutating func read(_ record: DTLSRecordFilter.Record) -> Arrival {
    guard newest.map({ record.number > $0 }) ?? true,
      let content = readKey.open(record.fragment, type: record.type, number: record.wireNumber)
    else { return .nothing }
    newest = record.number
    return switch record.type {
    case Self.alert: isEnd(content) ? .closed : .nothing
    case Self.handshake: answer(toMessage: content.first)
    default: .nothing
    }
  }

  /// Returns whether an alert is fatal or close_notify (RFC 5246, §7.2).
  private func isEnd(_ alert: [UInt8]) -> Bool {
    alert.count == 2 && (alert[0] == 2 || alert[1] == 0)
  }

  /// Answers a message by its type: a repeated Finished, or a request to renegotiate.
  private mutating func answer(toMessage type: UInt8?) -> Arrival {
    switch type {
    case 20: lastFlight.isEmpty ? .nothing : .answer(lastFlight)
    case 0, 1: .answer(alert(1, 100))
    default: .nothing
    }
  }

  /// Returns close_notify.
  mutating func close() -> [[UInt8]] { alert(1, 0) }

  /// Returns a datagram that contains an alert.
  private mutating func alert(_ level: UInt8, _ description: UInt8) -> [[UInt8]] {
    protect([level, description], type: Self.alert).map { [$0] } ?? []
  }

  /// Returns the next record with this content; `nil` if OpenSSL is out of memory.
  mutating func protect(_ content: [UInt8], type: UInt8) -> [UInt8]? {
    (sent.number, sent.nonce) = (sent.number + 1, sent.nonce &+ 1)
    let number = Self.bytes(1 << 48 | sent.number, 8)
    let explicit = Self.bytes(sent.nonce, writeKey.cipher.explicitLength)
    guard
      let fragment = writeKey.seal(content, type: type, number: number, explicit: explicit)
    else { return nil }
    return [type, 0xfe, 0xfd] + number + Self.bytes(UInt64(fragment.count), 2) + fragment
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}

extension DTLSRecordLayer.Position {
  /// Returns the position of the last record of epoch 1 in these datagrams; `nil` if there is no
  /// such record.
  init?(lastIn datagrams: [[UInt8]]) {
    let records = datagrams.flatMap { DTLSRecordFilter.records(of: $0) }
    guard let last = records.filter({ $0.epoch == 1 }).max(by: { $0.number < $1.number }) else {
      return nil
    }
    self.init(number: last.number, nonce: DTLSRecordFilter.wideNumber(last.fragment.prefix(8)))
  }
}
