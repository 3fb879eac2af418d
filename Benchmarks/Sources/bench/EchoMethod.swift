import Wire

/// The method of the request benchmarks: it returns the 64 bytes that it receives.
enum EchoMethod {
  static let method = UnaryMethod<V1.AttendeeInfo, V1.AttendeeInfo>(key: 1, name: "bench.Echo/Ask")

  /// A request of 64 packed bytes: two texts of 36 and 24 characters, each with a tag and a length.
  static let request = V1.AttendeeInfo(
    attendeeID: String(repeating: "a", count: 36),
    externalUserID: String(repeating: "b", count: 24))
}
