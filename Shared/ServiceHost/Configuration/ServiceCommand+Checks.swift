public import ArgumentParser
public import ZeroMQ

// What services check of their flags alike. What is wrong is a `ValidationError` that names the
// flag.
extension ParsableArguments {
  /// Throws unless a flag's number is in its range.
  public static func check(_ value: Int, _ range: ClosedRange<Int>, _ flag: String) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) must be \(range.lowerBound)-\(range.upperBound); got \(value).")
    }
  }
}

extension ServiceCommand {
  /// What a flag's HOST:PORT stands for; `nil` without one.
  public static func tcpEndpoint(_ address: String?, _ flag: String) throws -> Endpoint? {
    guard let address else { return nil }
    do {
      return try Endpoint("tcp://" + address)
    } catch {
      throw ValidationError("\(flag) must be HOST:PORT; got \(address). \(error.message)")
    }
  }

  /// The endpoint at which `--listen-tcp` lets clients in over plain tcp: beyond loopback only if
  /// the operator says so.
  public static func listenEndpoint(
    _ address: String?, isInsecureAllowed: Bool
  ) throws -> Endpoint? {
    let endpoint = try tcpEndpoint(address, "--listen-tcp")
    if let endpoint, !endpoint.isLoopback, !isInsecureAllowed {
      throw ValidationError(
        "--listen-tcp \(endpoint.text) is not loopback and plain tcp is not encrypted; "
          + "use 127.0.0.1, or --insecure-listen if the network is yours.")
    }
    return endpoint
  }
}
