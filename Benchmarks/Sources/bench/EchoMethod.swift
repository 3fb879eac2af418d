import Wire

/// What the request benchmarks call: 64 bytes there and the same 64 bytes back.
enum EchoMethod {
  static let method = UnaryMethod<V1.AttendeeInfo, V1.AttendeeInfo>(key: 1, name: "bench.Echo/Ask")

  /// Packs to 64 bytes: 36 and 24 characters, each with its tag and length.
  static let request = V1.AttendeeInfo(
    attendeeID: String(repeating: "a", count: 36),
    externalUserID: String(repeating: "b", count: 24))
}
