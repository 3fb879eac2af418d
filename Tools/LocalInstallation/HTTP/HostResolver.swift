internal import Dispatch
internal import Glibc
internal import Output
internal import Synchronization

/// A socket address of a host.
struct HostAddress: Sendable {
  /// The address family, such as `AF_INET6`.
  let family: Int32

  /// The bytes of the `sockaddr`.
  let bytes: [UInt8]
}

extension HostAddress {
  fileprivate init(copying entry: addrinfo) {
    family = unsafe entry.ai_family
    bytes = unsafe Array(
      UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
  }
}

/// A resolver that looks up the addresses of hosts, and waits at most until a deadline.
struct HostResolver: Sendable {
  /// Returns the addresses of a host for a port, in the order of preference. The lookup may block
  /// for a long time.
  let lookUp: @Sendable (_ host: String, _ port: UInt16) -> [HostAddress]

  /// A resolver that uses getaddrinfo(3), which itself has no deadline.
  static let system = Self(lookUp: systemAddresses)

  /// Returns the addresses of a host, at least one.
  ///
  /// After the deadline, the lookup continues on a separate thread until it ends.
  ///
  /// - Throws: ``HTTPError/cannotConnect(_:)`` if the host has no address, ``HTTPError/timedOut``.
  func addresses(
    of host: String, port: UInt16, deadline: ContinuousClock.Instant
  ) throws(HTTPError) -> [HostAddress] {
    let answer = Answer()
    DispatchQueue.global().async { [lookUp] in answer.set(lookUp(host, port)) }
    let addresses = try answer.wait(until: deadline)
    guard !addresses.isEmpty else { throw .cannotConnect("the host name \(host) has no address") }
    return addresses
  }

  private static func systemAddresses(of host: String, port: UInt16) -> [HostAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [HostAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe addresses.append(HostAddress(copying: entry.pointee))
      unsafe next = unsafe entry.pointee.ai_next
    }
    return addresses
  }

  /// The result of a lookup on another thread.
  private final class Answer: Sendable {
    private let addresses = Mutex<[HostAddress]>([])
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ found: [HostAddress]) {
      addresses.withLock { $0 = found }
      isSet.signal()
    }

    func wait(until deadline: ContinuousClock.Instant) throws(HTTPError) -> [HostAddress] {
      let left = max(deadline - ContinuousClock.now, .zero)
      let limit = DispatchTime.now() + .milliseconds(Int(clamping: left.milliseconds))
      guard isSet.wait(timeout: limit) == .success else { throw .timedOut }
      return addresses.withLock { $0 }
    }
  }
}
