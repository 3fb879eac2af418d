internal import CArena

/// The memory one message is packed from or unpacked into: this thread's, until the value ends.
///
/// It is taken and given back within one synchronous call, so no other code of the thread can meet
/// it in use, and no other thread can see it at all.
@safe public struct WireArena: ~Copyable {
  private let arena: OpaquePointer

  /// - Parameter limit: Most bytes its allocations may use together.
  init(limit: Int = .max) {
    guard let arena = unsafe carillon_arena_begin(limit) else { fatalError("Out of memory.") }
    unsafe self.arena = arena
  }

  deinit { unsafe carillon_arena_end(arena) }

  var isExhausted: Bool { unsafe carillon_arena_is_exhausted(arena) }

  var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
    unsafe carillon_arena_allocator(arena)
  }

  /// Room for `count` values, not initialised. An arena without a limit always has it.
  func allocate<T>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
    guard let bytes = unsafe carillon_arena_alloc(arena, count * MemoryLayout<T>.stride) else {
      fatalError("Out of memory.")
    }
    return unsafe bytes.bindMemory(to: type, capacity: count)
  }
}
