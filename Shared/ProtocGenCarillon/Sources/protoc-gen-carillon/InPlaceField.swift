internal import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// How a message keeps an id in place.
///
/// Text and bytes are memory of their own in Swift. The ids in these fields are on the way of every
/// request or event, and so a message has each of them as a number, in a property `<name>InPlace`;
/// the property `<name>` makes text or bytes of it for whoever wants them.
struct InPlaceField {
  enum Form {
    /// A text that is a meeting's, an attendee's or a participant's id.
    case id
    /// Several of these.
    case ids
    /// Bytes that are a session's id.
    case sessionID
  }

  /// The fields that are kept so, by their full names. To keep another one in place, write its name
  /// into this table.
  static let forms: [String: Form] = [
    "carillon.v1.AttendeeInfo.attendee_id": .id,
    "carillon.v1.EventHeader.except_for": .ids,
    "carillon.v1.EventHeader.meeting_id": .id,
    "carillon.v1.EventHeader.only_for": .ids,
    "carillon.v1.RequestHeader.session_id": .sessionID,
    "carillon.v1.SendDataMessageRequest.meeting_id": .id,
    "carillon.v1.SendDataMessageRequest.session_id": .sessionID,
  ]

  /// The property.
  let name: String

  private let descriptor: FieldDescriptor
  private let cName: String
  private let form: Form

  /// - Parameters:
  ///   - name: The property that makes text or bytes of it.
  ///   - cName: The member of the C struct.
  /// - Returns: `nil` for a field that is not kept in place.
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

  /// The type of the property, in Wire.
  var type: String {
    switch form {
    case .id: "IDText"
    case .ids: "IDTexts"
    case .sessionID: "SessionIDBytes"
    }
  }

  /// Text or bytes of what is in place.
  var getter: String {
    switch form {
    case .id: "self.\(name).text"
    case .ids: "self.\(name).map(\\.text)"
    case .sessionID: "self.\(name).bytes"
    }
  }

  /// Puts text or bytes in place.
  var setter: String {
    switch form {
    case .id, .sessionID: "self.\(name) = \(type)(newValue)"
    case .ids: "self.\(name) = IDTexts(newValue.map { IDText($0) })"
    }
  }

  /// Statements that put it into the C struct `c`.
  var fill: [String] {
    let member = "c.pointee.\(cName)"
    return switch form {
    case .id: ["unsafe \(member) = arena.id(self.\(name))"]
    case .ids:
      [
        "unsafe c.pointee.\(CNames.count(descriptor.name)) = self.\(name).count",
        "unsafe \(member) = arena.ids(self.\(name))",
      ]
    case .sessionID: ["unsafe \(member) = arena.sessionID(self.\(name))"]
    }
  }

  /// The expression that reads it out of the C struct `c`, validated.
  var copy: String {
    let member = "c.pointee.\(cName)"
    let count = "c.pointee.\(CNames.count(descriptor.name))"
    return switch form {
    case .id: "try unsafe Unpacked.id(\(member), \"\(descriptor.fullName)\")"
    case .ids: "try unsafe Unpacked.ids(\(count), \(member), \"\(descriptor.fullName)\")"
    case .sessionID: "unsafe Unpacked.sessionID(\(member))"
    }
  }

  /// Checks that the table names nothing that is not there.
  static func check(_ contract: Contract) throws(GenerationError) {
    let names = Set(contract.messages.flatMap { $0.fields.map(\.fullName) })
    for name in forms.keys.sorted() where !names.contains(name) { throw .noField(name) }
  }
}
