internal import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// A field whose message stores an id inline.
///
/// Swift allocates memory for a text or an array of bytes. The ids in these fields occur in every
/// request or event. So the message stores each of these ids as a number, in a property
/// `<name>InPlace`. The property `<name>` converts the number to text or bytes on demand.
struct InPlaceField {
  enum Form {
    /// A text that is the id of a meeting, an attendee or a participant.
    case id
    /// Several ids of meetings, attendees or participants.
    case ids
    /// The bytes of a session id.
    case sessionID
  }

  /// The fields that are stored inline, by their full names. To store another field inline, add its
  /// name to this table.
  static let forms: [String: Form] = [
    "carillon.v1.AttendeeInfo.attendee_id": .id,
    "carillon.v1.EventHeader.except_for": .ids,
    "carillon.v1.EventHeader.meeting_id": .id,
    "carillon.v1.EventHeader.only_for": .ids,
    "carillon.v1.RequestHeader.session_id": .sessionID,
    "carillon.v1.SendDataMessageRequest.meeting_id": .id,
    "carillon.v1.SendDataMessageRequest.session_id": .sessionID,
  ]

  /// The name of the property.
  let name: String

  private let descriptor: FieldDescriptor
  private let cName: String
  private let form: Form

  /// - Parameters:
  ///   - name: The property that converts the value to text or bytes.
  ///   - cName: The member of the C struct.
  /// - Returns: `nil` for a field that is not stored inline.
  init?(
    _ descriptor: FieldDescriptor, name: String, cName: String
  ) throws(GenerationError) {
    guard let form = Self.forms[descriptor.fullName] else { return nil }
    let isPossible =
      switch form {
      case .id: descriptor.type == .string && !descriptor.isRepeated
      case .ids: descriptor.type == .string && descriptor.isRepeated
      case .sessionID: descriptor.type == .bytes && !descriptor.isRepeated
      }
    guard isPossible, descriptor.realContainingOneof == nil else {
      throw .unsupported(descriptor.fullName, what: "it cannot be kept in place as \(form).")
    }
    self.name = name + "InPlace"
    (self.descriptor, self.cName, self.form) = (descriptor, cName, form)
  }

  /// The type of the property, in the Wire module.
  var type: String {
    switch form {
    case .id: "IDText"
    case .ids: "IDTexts"
    case .sessionID: "SessionIDBytes"
    }
  }

  /// The code that converts the stored value to text or bytes.
  var getter: String {
    switch form {
    case .id: "self.\(name).text"
    case .ids: "self.\(name).map(\\.text)"
    case .sessionID: "self.\(name).bytes"
    }
  }

  /// The code that stores text or bytes inline.
  var setter: String {
    switch form {
    case .id, .sessionID: "self.\(name) = \(type)(newValue)"
    case .ids: "self.\(name) = IDTexts(newValue.map { IDText($0) })"
    }
  }

  /// Statements that write the value to the C struct `c`.
  var fill: [String] {
    let member = "c.pointee.\(cName)"
    return switch form {
    case .id: ["unsafe \(member) = arena.id(self.\(name))"]
    case .ids:
      [
        "unsafe c.pointee.\(ProtobufCNames.count(descriptor.name)) = self.\(name).count",
        "unsafe \(member) = arena.ids(self.\(name))",
      ]
    case .sessionID: ["unsafe \(member) = arena.sessionID(self.\(name))"]
    }
  }

  /// The expression that reads the value from the C struct `c` and validates it.
  var copy: String {
    let member = "c.pointee.\(cName)"
    let count = "c.pointee.\(ProtobufCNames.count(descriptor.name))"
    return switch form {
    case .id: "try unsafe MessageUnpacker.id(\(member), \"\(descriptor.fullName)\")"
    case .ids: "try unsafe MessageUnpacker.ids(\(count), \(member), \"\(descriptor.fullName)\")"
    case .sessionID: "unsafe MessageUnpacker.sessionID(\(member))"
    }
  }

  /// Checks that every field in the table exists.
  static func check(_ contract: ProtoPackage) throws(GenerationError) {
    let names = Set(contract.messages.flatMap { $0.fields.map(\.fullName) })
    for name in forms.keys.sorted() where !names.contains(name) { throw .noField(name) }
  }
}
