internal import Foundation

/// The registry of one machine: files in the runtime directory. Only the owner of the directory can
/// read these files.
///
/// Each instance has files `registry/<service>/<instance>.*`:
///
/// - `.json`: the instance's announcement.
/// - `.lock`: the time of the latest heartbeat and the number of meetings. The instance's process
///   locks this file while the process runs.
/// - `.term`: the latest term.
/// - `.drain`: exists while the instance is draining.
///
/// When an instance's process crashes, the kernel releases the lock immediately, and the registry
/// no longer reports the instance as live. Later registrations remove the files of instances that
/// ended long ago. For example, no process may ever use the name of a container's instance again.
///
/// A term must never fall. Otherwise a reader that has seen a higher term would treat the owner as
/// an earlier owner. Each run of each instance of a service has a different term. The runtime
/// directory may disappear, so the registry also stores terms in the data directory, in
/// `terms/<service>.<instance>`.
///
/// Heartbeats are times of a clock that starts with the machine and cannot be set.
public struct RuntimeDirectoryRegistry: Registry {
  private let runtimeDirectory: String
  private let directory: String
  private let dataDirectory: String?
  private let now: @Sendable () -> Date
  private let uptime: @Sendable () -> TimeInterval

  /// - Parameters:
  ///   - runtimeDirectory: An existing directory, mode 0700.
  ///   - dataDirectory: The directory for copies of terms; unused while this directory does not
  ///     exist. A process that registers no instance needs no such directory.
  public init(runtimeDirectory: String, dataDirectory: String? = nil) {
    self.runtimeDirectory = runtimeDirectory
    directory = runtimeDirectory + "/registry"
    self.dataDirectory = dataDirectory
    (now, uptime) = (Date.init, Self.machineUptime)
  }

  init(
    runtimeDirectory: String, dataDirectory: String? = nil, now: @escaping @Sendable () -> Date
  ) {
    self.runtimeDirectory = runtimeDirectory
    directory = runtimeDirectory + "/registry"
    self.dataDirectory = dataDirectory
    self.now = now
    uptime = { now().timeIntervalSince1970 }
  }

  @Sendable private static func machineUptime() -> TimeInterval {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }

  /// The maximum age of the latest heartbeat, in seconds. The registry regards an instance with an
  /// older heartbeat as hanging.
  static let heartbeatLimit: TimeInterval = 3

  /// The age of an instance's last heartbeat, in seconds, beyond which the next registration
  /// removes the instance's files.
  static let remainsLimit: TimeInterval = 600

  public func register(
    _ announcement: InstanceAnnouncement
  ) throws(InstanceRegistryError) -> any InstanceRegistration {
    try Self.check(announcement.service)
    try Self.check(announcement.instance)
    let folder = "\(directory)/\(announcement.service)"
    try RegistryFileOperations.makeDirectory(directory)
    try RegistryFileOperations.makeDirectory(folder)
    let base = "\(folder)/\(announcement.instance)"
    // Only one process registers at a time, so that no two processes get the same term.
    let turn = try Self.turn(in: folder)
    defer { turn.release() }
    guard let lock = try LockedFile(locking: base + ".lock") else {
      throw .instanceIsTaken(announcement.instance)
    }
    let spares = spareFolder()
    let spare = spares.map { "\($0)/\(announcement.service).\(announcement.instance)" }
    let last = max(
      lastTerm(of: announcement.service, in: folder, spares), announcement.knownTerm)
    let term = last + 1
    try RegistryFileOperations.replace(base + ".term", with: "\(term)")
    // An instance starts even if the data directory is not writable.
    if let spare { try? RegistryFileOperations.replace(spare, with: "\(term)") }
    RegistryFileOperations.remove(base + ".drain")
    removeRemains(of: announcement.service, in: folder, spares)
    let record = InstanceFile(
      endpoints: announcement.endpoints, clusterEndpoints: announcement.clusterEndpoints,
      host: announcement.host, term: term,
      processID: ProcessInfo.processInfo.processIdentifier, startedAt: milliseconds)
    try RegistryFileOperations.replace(base + ".json", with: record.json)
    let registration = DirectoryRegistration(term: term, path: base, lock: lock, uptime: uptime)
    try registration.heartbeat()
    return registration
  }

  public func instances(of service: String) throws(InstanceRegistryError) -> [RegisteredInstance] {
    let folder = "\(directory)/\(service)"
    return RegistryFileOperations.names(in: folder, ending: ".json").compactMap { name in
      instance(name, of: service, at: "\(folder)/\(name)")
    }
  }

  public func services() throws(InstanceRegistryError) -> [String] {
    RegistryFileOperations.names(in: directory, ending: "")
  }

  public func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(InstanceRegistryError) {
    guard try instances(of: service).contains(where: { $0.instance == instance && $0.isLive })
    else { throw .noInstance(instance) }
    let path = "\(directory)/\(service)/\(instance).drain"
    if isDraining {
      try RegistryFileOperations.replace(path, with: "")
    } else {
      RegistryFileOperations.remove(path)
    }
  }

  // MARK: Terms

  /// Waits for the lock under which one process at a time registers an instance of the service.
  private static func turn(in folder: String) throws(InstanceRegistryError) -> LockedFile {
    for _ in 0..<5_000 {
      if let turn = try LockedFile(locking: folder + "/.registering") { return turn }
      usleep(1_000)
    }
    throw .fileFailed(path: folder + "/.registering", operation: "Locking", code: EAGAIN)
  }

  /// Returns the highest term of any instance of the service.
  ///
  /// This method also reads the terms in the instances' records, in case a file with a term is lost
  /// or damaged.
  private func lastTerm(of service: String, in folder: String, _ spares: String?) -> UInt64 {
    let counted = RegistryFileOperations.names(in: folder, ending: ".term")
      .map { Self.counted(at: "\(folder)/\($0).term") }
    let recorded = RegistryFileOperations.names(in: folder, ending: ".json").compactMap { name in
      (try? RegistryFileOperations.read("\(folder)/\(name).json")).flatMap {
        InstanceFile(json: $0)
      }?.term
    }
    let kept = spareNames(of: service, in: spares).map { Self.counted(at: $0) }
    return (counted + recorded + kept).filter { $0 < .max }.max() ?? 0
  }

  /// Removes the files of instances that ended long ago.
  ///
  /// No process needs the terms of these instances, because the registering instance has a higher
  /// term.
  private func removeRemains(of service: String, in folder: String, _ spares: String?) {
    for name in RegistryFileOperations.names(in: folder, ending: ".lock") {
      let base = "\(folder)/\(name)"
      guard !LockedFile.isLocked(base + ".lock"),
        let beat = InstanceHeartbeatFile(at: base + ".lock"),
        uptime() - beat.time > Self.remainsLimit
      else { continue }
      for ending in [".json", ".drain", ".term", ".lock"] {
        RegistryFileOperations.remove(base + ending)
      }
      // This loop removes the instance's sockets, and the locks of these sockets.
      for file in RegistryFileOperations.names(in: runtimeDirectory, ending: "")
      where file.hasPrefix(name + ".") {
        RegistryFileOperations.remove("\(runtimeDirectory)/\(file)")
      }
      if let spares { RegistryFileOperations.remove("\(spares)/\(service).\(name)") }
    }
  }

  private func spareNames(of service: String, in folder: String?) -> [String] {
    guard let folder else { return [] }
    return RegistryFileOperations.names(in: folder, ending: "")
      .filter { $0.hasPrefix(service + ".") && !$0.hasSuffix(".new") }.map { "\(folder)/\($0)" }
  }

  /// Reads a stored term; 0 if the term is missing or invalid.
  private static func counted(at path: String) -> UInt64 {
    let term = (try? RegistryFileOperations.read(path)).flatMap { UInt64($0) } ?? 0
    return term < .max ? term : 0
  }

  /// Returns the directory for copies of terms; `nil` while there is no data directory.
  private func spareFolder() -> String? {
    guard let dataDirectory, FileManager.default.fileExists(atPath: dataDirectory),
      (try? RegistryFileOperations.makeDirectory(dataDirectory + "/terms")) != nil
    else { return nil }
    return dataDirectory + "/terms"
  }

  // MARK: Reading

  /// Reads an instance's record; `nil` if the record is missing or invalid.
  private func instance(_ name: String, of service: String, at base: String) -> RegisteredInstance?
  {
    guard (try? Self.check(name)) != nil,
      let text = try? RegistryFileOperations.read(base + ".json"),
      let record = InstanceFile(json: text)
    else { return nil }
    let beat = InstanceHeartbeatFile(at: base + ".lock")
    let isFresh = beat.map { uptime() - $0.time <= Self.heartbeatLimit } ?? false
    return RegisteredInstance(
      service: service, instance: name, endpoints: record.endpoints,
      clusterEndpoints: record.clusterEndpoints ?? [:], host: record.host ?? "", term: record.term,
      processID: record.processID, startedAt: record.startedAt,
      isLive: isFresh && LockedFile.isLocked(base + ".lock"),
      isDraining: RegistryFileOperations.exists(base + ".drain"), meetings: beat?.meetings ?? 0)
  }

  private var milliseconds: UInt64 { UInt64(now().timeIntervalSince1970 * 1000) }

  private static func check(_ name: String) throws(InstanceRegistryError) {
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard isName, (1...32).contains(name.utf8.count) else { throw .invalidName(name) }
  }
}

/// The content of `<instance>.json`.
private struct InstanceFile: Codable {
  let endpoints: [String: String]
  /// The endpoints for other hosts, by purpose. This member is missing in records of earlier
  /// versions, and in records of instances that have no endpoints for other hosts.
  let clusterEndpoints: [String: String]?
  let host: String?
  let term: UInt64
  let processID: Int32
  let startedAt: UInt64

  init(
    endpoints: [String: String], clusterEndpoints: [String: String], host: String, term: UInt64,
    processID: Int32, startedAt: UInt64
  ) {
    self.endpoints = endpoints
    self.clusterEndpoints = clusterEndpoints.isEmpty ? nil : clusterEndpoints
    self.host = host.isEmpty ? nil : host
    (self.term, self.processID, self.startedAt) = (term, processID, startedAt)
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

/// The content of `<instance>.lock`: the time of the instance's latest heartbeat, and the number of
/// the instance's meetings.
private struct InstanceHeartbeatFile {
  let time: TimeInterval
  let meetings: Int

  init(time: TimeInterval, meetings: Int) { (self.time, self.meetings) = (time, meetings) }

  init?(at path: String) {
    guard let parts = try? RegistryFileOperations.read(path).split(separator: " "),
      let time = parts.first.flatMap({ TimeInterval($0) })
    else { return nil }
    self.init(time: time, meetings: parts.dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  var text: String { "\(time) \(meetings)" }
}

private struct DirectoryRegistration: InstanceRegistration {
  let term: UInt64
  let path: String
  let lock: LockedFile
  let uptime: @Sendable () -> TimeInterval

  func heartbeat(meetings: Int) throws(InstanceRegistryError) {
    try lock.write(InstanceHeartbeatFile(time: uptime(), meetings: meetings).text)
  }

  func withdraw() {
    RegistryFileOperations.remove(path + ".json")
    RegistryFileOperations.remove(path + ".drain")
    lock.release()
  }
}
