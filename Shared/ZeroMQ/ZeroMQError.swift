internal import CZeroMQ
internal import Glibc

/// An error of a context, socket or endpoint.
///
/// "Would block" and "unroutable" are not errors: see ``SendResult``.
public enum ZeroMQError: Error, Hashable, CustomStringConvertible {
  /// The text is not an endpoint that Carillon supports.
  case invalidEndpoint(String, reason: String)
  /// Another socket uses the endpoint. For ipc, see ``endpointLocked(_:lockPath:holder:)``.
  case endpointInUse(Endpoint)
  /// Another process serves the endpoint. `holder` is the process id if the process runs in this
  /// container, and otherwise `nil`.
  case endpointLocked(Endpoint, lockPath: String, holder: Int32?)
  /// The operation on the endpoint failed: bind, connect, lock or unbind. `code` is an `errno`
  /// value.
  case endpointFailed(Endpoint, operation: String, code: Int32)
  /// libzmq rejected the value of a socket option.
  case invalidOption(SocketOption, code: Int32)
  /// Another operation of libzmq or the system failed. `code` is a value of errno(3) or zmq.h.
  case failed(operation: String, code: Int32)

  /// The `errno` value of the error (errno(3), and zmq.h for values above 156384712).
  public var code: Int32 {
    switch self {
    case .invalidEndpoint: EINVAL
    case .endpointInUse: EADDRINUSE
    case .endpointLocked: EWOULDBLOCK
    case .endpointFailed(_, _, let code): code
    case .invalidOption(_, let code): code
    case .failed(_, let code): code
    }
  }

  /// One or two sentences with the error and its remedy.
  public var message: String {
    switch self {
    case .invalidEndpoint(let text, let reason):
      "\"\(text)\" is not an endpoint: \(reason)"
    case .endpointInUse(let endpoint):
      "\(endpoint) is in use; stop the process that serves it or choose another endpoint."
    case .endpointLocked(let endpoint, let lockPath, let holder):
      "\(endpoint) is served by \(holder.map { "process \($0)" } ?? "another process"), "
        + "which holds \(lockPath); stop it or choose another endpoint."
    case .endpointFailed(let endpoint, let operation, let code):
      "\(operation) \(endpoint) failed: \(Self.explain(code))"
    case .invalidOption(let option, let code):
      "The system refused the socket option \(option): \(Self.explain(code))"
    case .failed(let operation, let code):
      "\(operation) failed: \(Self.explain(code))"
    }
  }

  public var description: String { message }

  /// Returns libzmq's text for `code`, and the remedy if one is known.
  private static func explain(_ code: Int32) -> String {
    let text = unsafe String(cString: zmq_strerror(code))
    return advice(for: code).map { "\(text); \($0)." } ?? "\(text)."
  }

  private static func advice(for code: Int32) -> String? {
    switch code {
    case EMFILE, ENFILE: "raise the limit of open files (ulimit -n) or of sockets in the context"
    case EACCES, EPERM: "check who owns the directory and its mode"
    case ENOENT: "create the directory first"
    case ENOTDIR: "use a path whose parts are directories"
    case ENODEV, EADDRNOTAVAIL: "use an address of this machine"
    case EINVAL: "use a value within the allowed range"
    case ENOTSUP: "use a socket of another kind"
    case ENOMEM: "free memory on this machine"
    default: nil
    }
  }
}
