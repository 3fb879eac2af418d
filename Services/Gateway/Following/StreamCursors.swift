import Bus
import MeetingModel

/// How far one client was told of each stream of its meeting.
///
/// A session has few, and each event of each client looks one up: a short list is smaller and
/// faster than a dictionary.
struct StreamCursors {
  private var entries: [(stream: MeetingStream, cursor: StreamCursor)] = []

  /// `nil` before the client's first position, and while it waits to be given what it lacks.
  subscript(stream: MeetingStream) -> StreamCursor? {
    get { entries.first { $0.stream == stream }?.cursor }
    set {
      let index = entries.firstIndex { $0.stream == stream }
      switch (index, newValue) {
      case (let index?, let cursor?): entries[index].cursor = cursor
      case (let index?, nil): entries.remove(at: index)
      case (nil, let cursor?): entries.append((stream, cursor))
      case (nil, nil): break
      }
    }
  }
}
