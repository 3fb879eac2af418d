internal import COpenSSL

/// Connects OpenSSL to a ``DatagramQueue``: one write or read is one datagram.
///
/// OpenSSL's own memory BIO joins datagrams into a stream.
enum DatagramBIO {
  /// The maximum size of a datagram, without the headers of UDP and IP.
  ///
  /// Together with these headers, a datagram of this size fits through any IPv6 link.
  static let linkMTU = 1_200

  /// Creates a BIO that does not retain `queue`.
  ///
  /// - Throws: An error if OpenSSL is out of memory.
  static func make(over queue: DatagramQueue) throws(OpenSSLError) -> OpaquePointer {
    guard let method = unsafe method, let bio = unsafe BIO_new(method) else {
      throw OpenSSLError("BIO_new")
    }
    unsafe BIO_set_data(bio, Unmanaged.passUnretained(queue).toOpaque())
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }

  /// The functions of all BIOs of this kind.
  ///
  /// The functions do not change after their creation.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    guard let method = unsafe BIO_meth_new(BIO_get_new_index() | sourceSink, "datagram queue")
    else { return nil }
    unsafe BIO_meth_set_write(method) { unsafe DatagramBIO.write($0, $1, $2) }
    unsafe BIO_meth_set_read(method) { unsafe DatagramBIO.read($0, $1, $2) }
    unsafe BIO_meth_set_ctrl(method) { _, command, number, _ in
      DatagramBIO.control(command, number)
    }
    return unsafe method
  }()

  /// `BIO_TYPE_SOURCE_SINK` of <openssl/bio.h>.
  private static let sourceSink: CInt = 0x0400

  private static func queue(of bio: OpaquePointer?) -> DatagramQueue? {
    guard let data = unsafe BIO_get_data(bio) else { return nil }
    return unsafe Unmanaged<DatagramQueue>.fromOpaque(data).takeUnretainedValue()
  }

  private static func write(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: CInt
  ) -> CInt {
    guard let queue = unsafe queue(of: bio), let bytes = unsafe bytes, count > 0 else { return -1 }
    queue.write(unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    return count
  }

  /// Copies the next datagram.
  ///
  /// The method drops the part of the datagram that does not fit into the buffer, as a socket does.
  private static func read(
    _ bio: OpaquePointer?, _ room: UnsafeMutablePointer<CChar>?, _ size: CInt
  ) -> CInt {
    unsafe BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    guard let datagram = unsafe queue(of: bio)?.read(), let room = unsafe room else {
      unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return -1
    }
    let count = min(datagram.count, Int(size))
    unsafe UnsafeMutableRawBufferPointer(start: room, count: count)
      .copyBytes(from: datagram.prefix(count))
    return CInt(count)
  }

  /// Answers control requests for a datagram socket. Returns 0 for requests that concern other
  /// BIOs.
  private static func control(_ command: CInt, _ number: CLong) -> CLong {
    switch command {
    case BIO_CTRL_FLUSH, BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT: 1
    case BIO_CTRL_DGRAM_QUERY_MTU, BIO_CTRL_DGRAM_GET_MTU, BIO_CTRL_DGRAM_GET_FALLBACK_MTU:
      linkMTU
    case BIO_CTRL_DGRAM_SET_MTU: number
    default: 0
    }
  }
}
