package import Wire

/// The state of a meeting that `carillon tiles` shows: each source, and the decision for each
/// receiver.
///
/// The view is a value that applies updates, and returns rows.
package struct TilesView: Sendable {
  /// An added, changed or removed row.
  package struct Change: Hashable, Sendable {
    package let row: TileDecisionRow
    package let isRemoved: Bool
  }

  package let meetingID: String
  private var sources: [UInt32: V1.VideoSource] = [:]
  private var receivers: [[UInt8]: V1.ReceiverDecision] = [:]
  private var attendees: [String: V1.AttendeeRecord] = [:]
  private var sequence: UInt64 = 0

  package init(of meetingID: String) { self.meetingID = meetingID }

  /// Applies an update.
  ///
  /// - Returns: Whether the update directly follows the last update. After a gap, the caller must
  ///   subscribe again.
  package mutating func apply(_ update: V1.ForwardingUpdate) -> Bool {
    guard update.isComplete || update.sequence == sequence + 1 else { return false }
    sequence = update.sequence
    if update.isComplete { (sources, receivers) = ([:], [:]) }
    for tile in update.endedTileIDs { sources[tile] = nil }
    for session in update.endedSessionIDs { receivers[session] = nil }
    for source in update.sources { sources[source.tileID] = source }
    for receiver in update.receivers { receivers[receiver.sessionID] = receiver }
    return true
  }

  /// Adds the names of attendees.
  package mutating func learn(_ attendees: [V1.AttendeeRecord]) {
    for attendee in attendees { self.attendees[attendee.attendeeID] = attendee }
  }

  package var sourceCount: Int { sources.count }
  package var receiverCount: Int { receivers.count }

  /// The receiving attendees without a known name.
  package var unknownAttendees: Set<String> {
    Set(receivers.values.map { Self.attendee($0.participantID) }.filter { attendees[$0] == nil })
  }

  /// The rows, sorted by tile id and then by the receiver's name.
  package var rows: [TileDecisionRow] {
    sources.values.sorted { $0.tileID < $1.tileID }.flatMap { source -> [TileDecisionRow] in
      let rows = receivers.values.compactMap { row(source, $0) }
      guard !rows.isEmpty else {
        return [
          TileDecisionRow(
            key: .init(tile: source.tileID, session: []), source: source, receiver: nil)
        ]
      }
      return rows.sorted { Self.order($0) < Self.order($1) }
    }
  }

  /// Returns the differences from earlier rows.
  package func changes(since before: [TileDecisionRow]) -> [Change] {
    let now = rows
    let known = Dictionary(before.map { ($0.key, $0) }) { first, _ in first }
    let present = Set(now.map(\.key))
    return before.filter { !present.contains($0.key) }.map { Change(row: $0, isRemoved: true) }
      + now.filter { known[$0.key] != $0 }.map { Change(row: $0, isRemoved: false) }
  }

  /// Returns the row of a receiver; `nil` for the publisher, because there is no decision about the
  /// publisher's own video.
  private func row(_ source: V1.VideoSource, _ receiver: V1.ReceiverDecision) -> TileDecisionRow? {
    guard let forwarding = receiver.forwardings.first(where: { $0.tileID == source.tileID }) else {
      return nil
    }
    let record = attendees[Self.attendee(receiver.participantID)]
    let attendee = AttendeeName(
      attendeeID: receiver.participantID, externalUserID: record?.externalUserID ?? "",
      displayName: record?.displayName ?? "")
    return TileDecisionRow(
      key: .init(tile: source.tileID, session: receiver.sessionID), source: source,
      receiver: .init(
        attendee: attendee, forwarding: forwarding, downlink: receiver.downlinkBitsPerSecond))
  }

  private static func order(_ row: TileDecisionRow) -> (String, String) {
    (row.receiver?.attendee.externalUserID ?? "", row.receiver?.attendee.attendeeID ?? "")
  }

  private static func attendee(_ participantID: String) -> String {
    String(participantID.prefix { $0 != "#" })
  }
}
