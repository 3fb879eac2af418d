/// An error that converts to a canonical status.
public protocol StatusConvertible: Error {
  /// The status that the caller receives for this error.
  var status: Status { get }
}
