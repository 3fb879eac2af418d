/// Carries a value of the application to the main queue.
///
/// `@unchecked Sendable` because whoever wraps a value only reads it afterwards, and calls into it
/// on the main queue alone.
package struct MainBound<Value>: @unchecked Sendable {
  package let value: Value

  package init(value: Value) { self.value = value }
}
