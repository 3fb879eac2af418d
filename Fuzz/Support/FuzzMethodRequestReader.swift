import Wire

/// Reads the requests of one method, as the server of this method does.
struct FuzzMethodRequestReader {
  let key: UInt32
  let read: (RawSpan) -> Void

  init<Request, Reply>(_ method: UnaryMethod<Request, Reply>) {
    key = method.key
    read = { ReencodingCheck.check(Request.self, $0) }
  }

  init<Request, Item>(_ method: StreamMethod<Request, Item>) {
    key = method.key
    read = { ReencodingCheck.check(Request.self, $0) }
  }
}

/// Reads the requests of a service: the key of a method in four little-endian bytes, and a body.
struct FuzzServiceRequestReader {
  private let readers: [UInt32: FuzzMethodRequestReader]

  /// - Parameter methods: The service's methods in the contract; each needs a reader.
  init(_ readers: [FuzzMethodRequestReader], methods: [MethodDescription]) {
    self.readers = Dictionary(readers.map { ($0.key, $0) }) { first, _ in first }
    for method in methods {
      precondition(self.readers[method.key] != nil, "\(method.name) is not fuzzed: add it here.")
    }
  }

  func read(_ input: [UInt8]) {
    guard input.count >= 4 else { return }
    let key = input[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let body = Array(input[4...])
    unsafe readers[key]?.read(body.span.bytes)
  }
}
