/// A wrapper that carries a value of the application to the main queue.
///
/// `@unchecked Sendable` because code that wraps a value only reads it afterwards, and calls into
/// it only on the main queue.
package struct MainBound<Value>: @unchecked Sendable {
  package let value: Value

  package init(value: Value) { self.value = value }
}
