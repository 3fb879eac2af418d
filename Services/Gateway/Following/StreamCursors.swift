import Bus
import MeetingModel

/// The positions of one client in the streams of its meeting.
///
/// A session has few streams, and the gateway searches these streams for each event and client. For
/// so few streams, a short list is smaller and faster than a dictionary.
struct StreamCursors {
  private var entries: [(stream: MeetingStream, cursor: StreamCursor)] = []

  /// The position in a stream; `nil` before the first position, and while the client waits for
  /// missed events.
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
