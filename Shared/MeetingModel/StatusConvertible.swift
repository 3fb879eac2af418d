/// An error that converts to a canonical status.
public protocol StatusConvertible: Error {
  /// The status reported to the caller that caused the error.
  var status: Status { get }
}
