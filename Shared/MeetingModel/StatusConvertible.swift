/// An error that knows the canonical status it is reported as.
public protocol StatusConvertible: Error {
  var status: Status { get }
}
