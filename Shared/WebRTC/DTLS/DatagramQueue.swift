/// The datagrams that OpenSSL reads and writes through a ``DatagramBIO``.
final class DatagramQueue {
  /// The datagram that OpenSSL reads next.
  private var incoming: [UInt8]?

  /// Datagrams that OpenSSL wrote, oldest first.
  private var outgoing: [[UInt8]] = []

  /// Offers a datagram to OpenSSL. The new datagram replaces a datagram that OpenSSL has not read.
  func offer(_ datagram: [UInt8]) { incoming = datagram }

  /// Returns and removes the offered datagram.
  func read() -> [UInt8]? {
    defer { incoming = nil }
    return incoming
  }

  /// Appends a datagram for the peer.
  func write(_ datagram: [UInt8]) { outgoing.append(datagram) }

  /// Returns and removes all datagrams for the peer, and joins neighbouring datagrams that fit into
  /// one datagram.
  ///
  /// OpenSSL writes each message of a repeated flight separately. The network delivers or drops all
  /// messages of one datagram together.
  func takeOutgoing(mtu: Int) -> [[UInt8]] {
    defer { outgoing = [] }
    return outgoing.joined(upTo: mtu)
  }
}

extension [[UInt8]] {
  /// Joins neighbouring datagrams while the result has at most `size` bytes.
  ///
  /// This type can join DTLS datagrams, because each record contains its length.
  func joined(upTo size: Int) -> [[UInt8]] {
    reduce(into: []) { joined, datagram in
      guard let last = joined.last, last.count + datagram.count <= size else {
        return joined.append(datagram)
      }
      joined[joined.count - 1] += datagram
    }
  }
}
