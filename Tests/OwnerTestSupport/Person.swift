public import MeetingModel

/// A participant for tests. Persons with the same number are the same attendee.
public struct Person: Hashable, Sendable {
  /// The number from which the type derives all identifiers.
  public let number: UInt8

  /// The modality of the participant; `nil` for the attendee itself.
  public let modality: Modality?

  public static let ada = Person(number: 1)
  public static let grace = Person(number: 2)
  public static let edsger = Person(number: 3)
  public static let barbara = Person(number: 4)

  public init(number: UInt8, modality: Modality? = nil) {
    (self.number, self.modality) = (number, modality)
  }

  /// The content share of this attendee.
  public var content: Person { Person(number: number, modality: .content) }

  public var attendee: AttendeeID { participant.attendee }

  public var participant: ParticipantID {
    guard let id = try? AttendeeID("00000000-0000-4000-8000-0000000000" + hex(number)) else {
      preconditionFailure("The fixture's attendee id is wrong.")
    }
    return ParticipantID(id, modality: modality)
  }

  public var identity: ParticipantIdentity {
    ParticipantIdentity(
      id: participant, externalUserID: ExternalUserID(unchecked: "person-\(number)"))
  }

  /// Returns the id of this person's session on a device.
  public func session(_ device: UInt8 = 0) -> SessionID {
    let bytes = [number, device, modality == nil ? 0 : 1] + [UInt8](repeating: 7, count: 13)
    guard let id = SessionID(bytes: bytes) else {
      preconditionFailure("The fixture's session id is wrong.")
    }
    return id
  }
}

/// Returns a number as two hexadecimal digits.
func hex(_ number: UInt8) -> String {
  String(number / 16, radix: 16) + String(number % 16, radix: 16)
}
