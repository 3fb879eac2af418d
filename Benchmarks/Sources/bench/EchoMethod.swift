import Wire

/// The method of the request benchmarks: it returns the 64 bytes that it receives.
enum EchoMethod {
  static let method = UnaryMethod<V1.AttendeeInfo, V1.AttendeeInfo>(key: 1, name: "bench.Echo/Ask")

  /// Packs to 64 bytes: 36 and 24 characters, each with its tag and length.
  static let request = V1.AttendeeInfo(
    attendeeID: String(repeating: "a", count: 36),
    externalUserID: String(repeating: "b", count: 24))
}
