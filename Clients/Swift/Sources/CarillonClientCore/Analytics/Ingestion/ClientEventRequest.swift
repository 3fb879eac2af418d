internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The format of the requests that carry events.
struct ClientEventRequest: Sendable {
  private let url: URL
  private let joinToken: String
  private let metadata: Data
  private let eventHead: Data

  init(url: URL, client: any EventClientConfiguration) {
    self.url = url
    joinToken = client.eventClientJoinToken
    let own = client.metadataAttributes.mapValues { Self.jsonValue($0) }
    metadata = Self.json(Self.machine.merging(own) { $1 })
    eventHead = Self.json(client.tag)
  }

  /// Returns a request that contains `payloads`.
  func request(with payloads: [AnalyticsEventQueue.Payload]) -> URLRequest {
    var request = URLRequest(url: url, timeoutInterval: 10)
    request.httpMethod = "POST"
    request.setValue("Bearer \(joinToken)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    var body = Data(#"{"metadata":"#.utf8) + metadata + Data(#","events":[{"type":"#.utf8)
    body += eventHead + Data(#","v":1,"metadata":"#.utf8) + metadata + Data(#","payloads":["#.utf8)
    body += Data(payloads.joined(separator: Data(",".utf8))) + Data("]}]}".utf8)
    request.httpBody = body
    return request
  }

  /// Returns an event in the server's format.
  static func payload(of event: SDKEvent) -> AnalyticsEventQueue.Payload {
    var fields: [String: Any] = ["name": event.name, "id": UUID().uuidString]
    for (key, value) in event.eventAttributes {
      guard let attribute = key.base as? EventAttributeName, let name = name(of: attribute) else {
        continue
      }
      fields[name] = jsonValue(value)
    }
    return json(fields)
  }

  /// Returns the name that the server uses for an attribute; `nil` if the attribute is in the
  /// metadata, or if the request omits the attribute.
  private static func name(of attribute: EventAttributeName) -> String? {
    switch attribute {
    case .timestampMs: "ts"
    case .videoInputError, .audioInputError, .signalingDroppedError, .contentShareError,
      .voiceFocusError:
      attribute.description + "Message"
    case .deviceName, .deviceManufacturer, .deviceModel, .osName, .osVersion, .sdkName, .sdkVersion,
      .mediaSdkVersion, .attendeeId, .externalMeetingId, .externalUserId, .meetingId,
      .meetingHistory:
      nil
    case .maxVideoTileCount, .meetingStartDurationMs, .meetingReconnectDurationMs,
      .meetingDurationMs, .meetingErrorMessage, .meetingStatus, .poorConnectionCount, .retryCount,
      .appState, .batteryLevel, .batteryState, .audioDeviceType, .videoDeviceType,
      .lowPowerModeEnabled, .videoInterruptionReason, .iceGatheringDurationMs,
      .signalingOpenDurationMs, .networkConnectionType:
      attribute.description
    }
  }

  /// Returns a number or a Boolean unchanged, and any other value as a string.
  private static func jsonValue(_ value: Any) -> Any {
    switch value {
    case let value as Bool: value
    case let value as Int: value
    case let value as Int64: value
    case let value as Double where value.isFinite: value
    case let value as NSNumber where value.doubleValue.isFinite: value
    default: String(describing: value)
    }
  }

  private static func json(_ value: Any) -> Data {
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
    return (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data("{}".utf8)
  }

  private static var machine: [String: Any] {
    let machine = ClientMachineDescription.current
    let attributes: [EventAttributeName: String] = [
      .deviceName: "\(machine.manufacturer) \(machine.model)",
      .deviceManufacturer: machine.manufacturer, .deviceModel: machine.model,
      .osName: machine.osName, .osVersion: machine.osVersion,
      .sdkName: Versioning.sdkName, .sdkVersion: Versioning.sdkVersion(),
      .mediaSdkVersion: Versioning.sdkVersion(),
    ]
    return Dictionary(uniqueKeysWithValues: attributes.map { ($0.key.description, $0.value) })
  }
}
