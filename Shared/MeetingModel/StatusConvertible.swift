/// An error that knows the canonical status it is reported as.
public protocol StatusConvertible: Error {
  /// How the error is reported to whoever caused it.
  var status: Status { get }
}
