internal import CArena

/// The memory for packing or unpacking one message. Each thread reuses one arena.
///
/// Create and release an arena within one synchronous call. If the thread's arena is already in
/// use, the initializer allocates a separate arena. No arena is visible to another thread.
@safe public struct WireArena: ~Copyable {
  private let arena: OpaquePointer

  /// - Parameter limit: The maximum size of all allocations together, in bytes.
  init(limit: Int = .max) {
    guard let arena = unsafe carillon_arena_begin(limit) else { fatalError("Out of memory.") }
    unsafe self.arena = arena
  }

  deinit { unsafe carillon_arena_end(arena) }

  var isExhausted: Bool { unsafe carillon_arena_is_exhausted(arena) }

  var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
    unsafe carillon_arena_allocator(arena)
  }

  /// Allocates uninitialised memory for `count` values. The process stops if the message exceeds
  /// the arena's limit, so call this method only for an arena without a limit.
  func allocate<T>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
    guard let bytes = unsafe carillon_arena_alloc(arena, count * MemoryLayout<T>.stride) else {
      fatalError("Out of memory.")
    }
    return unsafe bytes.bindMemory(to: type, capacity: count)
  }
}
