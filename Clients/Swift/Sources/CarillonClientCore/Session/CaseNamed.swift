/// An enum whose `description`, also in an interpolated text, is the name of its case.
public protocol CaseNamed: CustomStringConvertible, Sendable {}

extension CaseNamed {
  /// The name of the case, such as `audioServerHungup`.
  public var description: String {
    unsafe runtimeCaseName(self).map { unsafe String(cString: $0) } ?? ""
  }
}

/// What the standard library itself prints of an enum that does not describe itself. It has no
/// public name, and lists of names would have to be kept in step with the cases by hand.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
