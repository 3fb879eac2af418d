/// An enum whose `description` is the name of its case.
///
/// It stays apart from `CustomStringConvertible` on purpose: the standard library then prints the
/// case name itself, and no list of names has to be kept in step with the cases.
public protocol CaseNamed: Sendable {}

extension CaseNamed {
  /// The name of the case, such as `audioServerHungup`.
  public var description: String { String(describing: self) }
}
