/// An enum whose `description` is the name of the value's case. String interpolation uses this
/// name.
public protocol CaseNamed: CustomStringConvertible, Sendable {}

extension CaseNamed {
  /// The name of the case, such as `audioServerHungup`.
  public var description: String {
    unsafe runtimeCaseName(self).map { unsafe String(cString: $0) } ?? ""
  }
}

/// Returns the text that the standard library prints for an enum without a `description`.
///
/// The standard library's function has no public name. The alternative is a list of names, which
/// somebody would have to update with each change of the cases.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
