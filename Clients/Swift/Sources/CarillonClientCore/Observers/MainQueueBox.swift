/// A wrapper that carries a value of the application to the main queue.
///
/// `@unchecked Sendable` because code that has wrapped a value only reads the reference, and calls
/// the value only on the main queue.
package struct MainQueueBox<Value>: @unchecked Sendable {
  package let value: Value

  package init(value: Value) { self.value = value }
}
