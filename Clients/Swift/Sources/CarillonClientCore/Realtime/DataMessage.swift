public import Foundation

/// A message from an attendee to other attendees.
public final class DataMessage: NSObject, Sendable {
  /// The time at which the server accepted the message, in milliseconds since 1970. These times
  /// never decrease from one message to the next message.
  public let timestampMs: Int64

  /// The topic of the message.
  public let topic: String

  /// The payload, up to 2048 bytes of any kind.
  public let data: Data

  /// The sender's attendee id. The server sets this field.
  public let senderAttendeeId: String

  /// The application's own id of the sender. The server sets this field.
  public let senderExternalUserId: String

  /// The name that users see for the sender. If the sender has no name, this is the external user
  /// id. Carillon adds this property to the interface of the meetings SDK for iOS.
  public let senderDisplayName: String

  /// Whether this is an undelivered message of this session: the server throttled the message, or
  /// the session never sent it.
  public let throttled: Bool

  let place: Place

  /// Creates a message without a place in the meeting's log, for tests and for applications that
  /// show their own messages before the server stores these messages.
  public convenience init(
    topic: String, data: Data, senderAttendeeId: String, senderExternalUserId: String,
    timestampMs: Int64, throttled: Bool
  ) {
    self.init(
      topic: topic, data: data, senderAttendeeId: senderAttendeeId,
      senderExternalUserId: senderExternalUserId, timestampMs: timestampMs, throttled: throttled,
      place: Place())
  }

  init(
    topic: String, data: Data, senderAttendeeId: String, senderExternalUserId: String,
    senderDisplayName: String = "", timestampMs: Int64, throttled: Bool, place: Place
  ) {
    self.timestampMs = timestampMs
    self.topic = topic
    self.data = data
    self.senderAttendeeId = senderAttendeeId
    self.senderExternalUserId = senderExternalUserId
    self.senderDisplayName = senderDisplayName.isEmpty ? senderExternalUserId : senderDisplayName
    self.throttled = throttled
    self.place = place
  }

  /// Returns the payload as text, or `nil` if the payload is not UTF-8.
  public func text() -> String? {
    String(data: data, encoding: .utf8)
  }

  /// Returns the payload as a JSON object or array, or `nil` for any other payload.
  public func fromJSON() -> Any? {
    try? JSONSerialization.jsonObject(with: data)
  }
}

/// An observer of data messages. An application adds the observer for one or more topics. The
/// library makes all calls on the main thread.
public protocol DataMessageObserver: AnyObject {
  /// A message arrived, or the server throttled a message of this session.
  func dataMessageDidReceived(dataMessage: DataMessage)
}

/// The reasons why a data message is invalid.
public enum SendDataMessageError: Int, Error, CaseNamed {
  /// The payload is longer than 2048 bytes.
  case invalidDataLength
  /// The topic is not 1 to 36 letters, digits, `_` or `-`.
  case invalidTopic
  /// The lifetime is below zero.
  case negativeLifetimeParameter
  /// The payload is neither text, bytes nor a JSON array or object.
  case invalidData
}
