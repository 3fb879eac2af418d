internal import Glibc

/// Why a file is not used as a secret.
public struct SecretFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that says what is wrong and, where it can be mended, how. It calls the file "it",
  /// and names another one that links lead to.
  public let problem: String

  init(_ problem: String) { self.problem = problem }

  static func failed(call: String, number: Int32) -> SecretFileError {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
    return SecretFileError("\(call): \(reason ?? "error \(number)").")
  }

  /// The problem.
  public var description: String { problem }
}
