internal import COpenSSL

/// A failed call of OpenSSL with its reason.
public struct OpenSSLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the OpenSSL function that failed.
  public let call: String

  /// OpenSSL's newest error of this thread; 0 if OpenSSL has reported no error.
  public let code: UInt

  /// Reads the reason from OpenSSL's error queue, and empties the queue.
  init(_ call: String) {
    self.call = call
    code = ERR_peek_last_error()
    ERR_clear_error()
  }

  public var description: String {
    guard let reason = unsafe ERR_reason_error_string(code) else { return "\(call) failed" }
    return unsafe "\(call): \(String(cString: reason))"
  }
}
