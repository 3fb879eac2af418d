/// Carries a value of the application to the main queue.
///
/// `@unchecked Sendable` because whoever wraps a value only reads it afterwards, and calls into it
/// on the main queue alone.
struct MainBound<Value>: @unchecked Sendable {
  let value: Value
}
