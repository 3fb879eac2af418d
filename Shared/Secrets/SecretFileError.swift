internal import Glibc

/// The reason why this process does not use a file as a secret.
public struct SecretFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that states the fault, and a possible repair. The sentence calls the file "it", and
  /// names the target if the path has links.
  public let problem: String

  init(_ problem: String) { self.problem = problem }

  static func failed(call: String, number: Int32) -> SecretFileError {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
    return SecretFileError("\(call): \(reason ?? "error \(number)").")
  }

  /// The same text as ``problem``.
  public var description: String { problem }
}
