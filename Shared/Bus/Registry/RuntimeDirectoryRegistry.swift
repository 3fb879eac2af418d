internal import Foundation

/// The registry of one machine: files in the runtime directory, readable by its owner alone.
///
/// `registry/<service>/<instance>.json` says what the instance announced, `.lock` is held for
/// the life of its process and contains the time of its last heartbeat, `.term` counts its starts.
/// A crashed process gives its lock back at once; what it wrote is then not live.
///
/// A term must never fall: whoever has seen a higher one takes its owner for a former one. So it is
/// also kept where a runtime directory that is lost does not take it along, in the data directory's
/// `terms/<service>.<instance>`.
public struct RuntimeDirectoryRegistry: Registry {
  private let directory: String
  private let dataDirectory: String?
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - runtimeDirectory: An existing directory, mode 0700.
  ///   - dataDirectory: Where terms are kept besides, once it is there; who registers nothing needs
  ///     none.
  public init(runtimeDirectory: String, dataDirectory: String? = nil) {
    self.init(runtimeDirectory: runtimeDirectory, dataDirectory: dataDirectory, now: Date.init)
  }

  init(
    runtimeDirectory: String, dataDirectory: String? = nil, now: @escaping @Sendable () -> Date
  ) {
    directory = runtimeDirectory + "/registry"
    self.dataDirectory = dataDirectory
    self.now = now
  }

  /// A heartbeat that is older says that its instance hangs.
  static let heartbeatLimit: TimeInterval = 3

  public func register(
    _ announcement: InstanceAnnouncement
  ) throws(RegistryError) -> any Registration {
    try Self.check(announcement.service)
    try Self.check(announcement.instance)
    let folder = "\(directory)/\(announcement.service)"
    try RegistryFile.makeDirectory(directory)
    try RegistryFile.makeDirectory(folder)
    let base = "\(folder)/\(announcement.instance)"
    guard let lock = try HeldFile(locking: base + ".lock") else {
      throw .instanceIsTaken(announcement.instance)
    }
    let spare = sparePath(of: announcement)
    let term = max(Self.lastTerm(at: base), spare.map(Self.counted) ?? 0) + 1
    try RegistryFile.replace(base + ".term", with: "\(term)")
    // A data directory that cannot be written to keeps nobody from starting.
    if let spare { try? RegistryFile.replace(spare, with: "\(term)") }
    let record = InstanceRecord(
      endpoints: announcement.endpoints, term: term,
      processID: ProcessInfo.processInfo.processIdentifier, startedAt: milliseconds)
    try RegistryFile.replace(base + ".json", with: record.json)
    let registration = DirectoryRegistration(term: term, path: base, lock: lock, now: now)
    try registration.heartbeat()
    return registration
  }

  public func instances(of service: String) throws(RegistryError) -> [RegisteredInstance] {
    let folder = "\(directory)/\(service)"
    return RegistryFile.names(in: folder, ending: ".json").compactMap { name in
      instance(name, of: service, at: "\(folder)/\(name)")
    }
  }

  public func services() throws(RegistryError) -> [String] {
    RegistryFile.names(in: directory, ending: "")
  }

  /// The term of the start before. The record has it too, should its counter be lost or damaged.
  private static func lastTerm(at base: String) -> UInt64 {
    let recorded = (try? RegistryFile.read(base + ".json")).flatMap { InstanceRecord(json: $0) }
    return [counted(at: base + ".term"), recorded?.term ?? 0].filter { $0 < .max }.max() ?? 0
  }

  /// A term that was written down; 0 if there is none, or what is there is no term.
  private static func counted(at path: String) -> UInt64 {
    let term = (try? RegistryFile.read(path)).flatMap { UInt64($0) } ?? 0
    return term < .max ? term : 0
  }

  /// Where the instance's term is kept besides; `nil` while there is no data directory.
  private func sparePath(of announcement: InstanceAnnouncement) -> String? {
    guard let dataDirectory, FileManager.default.fileExists(atPath: dataDirectory),
      (try? RegistryFile.makeDirectory(dataDirectory + "/terms")) != nil
    else { return nil }
    return "\(dataDirectory)/terms/\(announcement.service).\(announcement.instance)"
  }

  /// A record that does not read back belongs to nobody: it is left out.
  private func instance(_ name: String, of service: String, at base: String) -> RegisteredInstance?
  {
    guard (try? Self.check(name)) != nil, let text = try? RegistryFile.read(base + ".json"),
      let record = InstanceRecord(json: text)
    else { return nil }
    return RegisteredInstance(
      service: service, instance: name, endpoints: record.endpoints, term: record.term,
      processID: record.processID, startedAt: record.startedAt, isLive: isLive(base))
  }

  private func isLive(_ base: String) -> Bool {
    guard HeldFile.isLocked(base + ".lock"),
      let text = try? RegistryFile.read(base + ".lock"), let beat = Double(text)
    else { return false }
    return now().timeIntervalSince1970 - beat <= Self.heartbeatLimit
  }

  private var milliseconds: UInt64 { UInt64(now().timeIntervalSince1970 * 1000) }

  private static func check(_ name: String) throws(RegistryError) {
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard isName, (1...32).contains(name.utf8.count) else { throw .invalidName(name) }
  }
}

/// What `<instance>.json` holds.
private struct InstanceRecord: Codable {
  let endpoints: [String: String]
  let term: UInt64
  let processID: Int32
  let startedAt: UInt64

  init(endpoints: [String: String], term: UInt64, processID: Int32, startedAt: UInt64) {
    (self.endpoints, self.term) = (endpoints, term)
    (self.processID, self.startedAt) = (processID, startedAt)
  }

  init?(json: String) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
      return nil
    }
    self = record
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(self)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

private struct DirectoryRegistration: Registration {
  let term: UInt64
  let path: String
  let lock: HeldFile
  let now: @Sendable () -> Date

  func heartbeat() throws(RegistryError) {
    try lock.write("\(now().timeIntervalSince1970)")
  }

  func withdraw() {
    RegistryFile.remove(path + ".json")
    lock.release()
  }
}
