public import ArgumentParser
public import ZeroMQ

// Checks flags that several services share. Each check throws a `ValidationError` that names the
// flag.
extension ParsableArguments {
  /// Throws an error unless a flag's number is in its range.
  public static func check(_ value: Int, _ range: ClosedRange<Int>, _ flag: String) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) must be \(range.lowerBound)-\(range.upperBound); got \(value).")
    }
  }
}

extension ServiceCommand {
  /// Returns the endpoint that a flag specifies as HOST:PORT; `nil` if the flag is not set.
  public static func tcpEndpoint(_ address: String?, _ flag: String) throws -> Endpoint? {
    guard let address else { return nil }
    do {
      return try Endpoint("tcp://" + address)
    } catch {
      throw ValidationError("\(flag) must be HOST:PORT; got \(address). \(error.message)")
    }
  }
}
