public import ArgumentParser
import Bus
import Logging
import MeetingModel
import NIOCore
public import ServiceHost
public import ServiceLifecycle
import Signing
import Storage
import ZMTP
import ZeroMQ

/// The gateway: the interface of an installation to clients, to users of the control API and to
/// operators.
public struct GatewayCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @OptionGroup var remote: TCPListenerOptions

  @OptionGroup var controlAPI: ControlOptions

  @Option(
    help:
      """
      Also accept the operator's tools over tcp at HOST:PORT. CURVE encrypts the connections, and \
      only keys with the role operator may connect: see carillon keys.
      """)
  var operatorListen: String?

  @Option(help: "Port of the REST control API on --rest-host; 0 picks a free port.")
  var restPort = 8080

  @Option(
    help:
      """
      Maximum number of connections to the REST port, including browsers' connections. A low limit \
      on open files lowers this number: client connections (--max-connections) and REST \
      connections share seven eighths of the open files. Client connections take their share \
      first, but REST gets at least one eighth.
      """)
  var restConnections = 16_384

  @Option(
    help:
      "Maximum number of connections from one address to the REST port. Raise it for a proxy.")
  var restConnectionsPerAddress = 1_024

  @Option(
    help:
      "Address of the REST control API; without TLS, loopback only: see --rest-without-tls.")
  var restHost = "127.0.0.1"

  @Option(
    help:
      """
      Base of the URLs in a meeting's MediaPlacement, http(s)://HOST[:PORT]. Default: the caller's \
      Host header.
      """)
  var publicUrl: String?

  @Option(
    help:
      "ZeroMQ address to announce to clients, HOST:PORT. Default: the gateway's own endpoint.")
  var publicGateway: String?

  @Flag(help: "Accept REST requests without a signature. The REST port must be on loopback.")
  var allowUnsigned = false

  @Option(
    help:
      """
      File of the access keys that sign REST requests; see carillon keys. Default: \
      <data-dir>/access-keys.json.
      """)
  var accessKeyFile: String?

  @Flag(
    help:
      """
      Create an access key named local. While the gateway runs, programs of this user can read it \
      from <runtime-dir>/<instance>.access-key.json.
      """)
  var localAccessKey = false

  @Option(
    help:
      """
      Serve REST over TLS with this certificate chain in PEM, the server's own certificate first. \
      The gateway reads the file again when it changes.
      """)
  var tlsCertificateFile: String?

  @Option(
    help:
      "Private key of the certificate, in PEM. The gateway refuses a file that everybody may read.")
  var tlsKeyFile: String?

  @Option(
    help:
      """
      Origins, besides the gateway's own, whose pages may use this gateway, separated by commas: \
      https://HOST[:PORT].
      """)
  var allowedOrigins: String?

  @Option(help: "Directory of the page to serve to browsers, such as Clients/Web.")
  var webRoot: String?

  @Option(
    help:
      """
      Who may start meetings from the page. open: every user of this machine. key: everybody who \
      has the key of --web-lobby-key-file. With open and key, everybody else can join a running \
      meeting by its name. off: nobody can start or join meetings from the page.
      """)
  var webLobby = WebLobbyMode.off

  @Option(
    help: """
      File with the key for --web-lobby key. Created at the first start; other users must not be \
      able to read it.
      """)
  var webLobbyKeyFile: String?

  @Option(
    help:
      """
      File with the key of the operator's page, which gives access to all of /carillon/v1/. \
      Created at the first start; other users must not be able to read it.
      """)
  var webOperatorKeyFile: String?

  @Option(
    help:
      """
      Origins whose pages may show the meeting page in a frame, from /embed, separated by commas: \
      https://HOST[:PORT]. Default: none.
      """)
  var webEmbedOrigins: String?

  @Option(
    help:
      """
      JSON file with the name, the logo, the colors and the legal links of the pages. Default: \
      those of Carillon.
      """)
  var webBranding: String?

  @Option(help: "Maximum difference between a signature's time and the clock, in seconds, 1-86400.")
  var clockSkewSeconds = 300

  @Option(help: "Regions that a signature may name, separated by commas. Default: any.")
  var signingRegions: String?

  @Flag(
    help:
      """
      Allow REST without TLS beyond loopback: behind a proxy that has TLS, or in a container whose \
      port is published on loopback.
      """)
  var restWithoutTls = false

  @Option(
    help:
      """
      File with the installation's key, created at the first start. Default: <data-dir>/token.key.
      """)
  var tokenKeyFile: String?

  @Option(help: "Maximum number of attendees of a meeting, 2-10000.")
  var maxAttendees = 250

  @Option(help: "Maximum KiB queued for one client, 64-1048576. Beyond it, the client is too slow.")
  var clientBudgetKib = 4_096

  @Option(
    help:
      """
      Milliseconds between a client's keep-alives, 100-10000. After three missed keep-alives, the \
      client counts as disconnected.
      """)
  var keepAliveMs = 1_000

  @Option(help: "Seconds without a request after which the gateway closes a connection, 1-3600.")
  var idleConnectionSeconds = 30

  @Option(
    help:
      "Maximum number of client connections, 1-1000000. At most three quarters of the open files."
  )
  var maxConnections = 65_536

  @Option(help: "Maximum number of connections from one address of another machine, 1-1000000.")
  var maxConnectionsPerAddress = 16_384

  @Option(help: "Maximum requests per second of a client, 1-100000.")
  var requestsPerSecond = 200

  @Option(help: "Burst of requests of a client, 1-1000000.")
  var requestBurst = 2_000

  @Option(help: "Days for which the gateway keeps the events that clients report, 1-3650.")
  var clientEventDays = 30

  @Option(
    help:
      "Maximum number of client events, 1000-100000000. The gateway deletes the oldest first.")
  var maxClientEvents = 200_000

  @Option(
    help:
      """
      Days after a meeting's end for which the gateway keeps its attendance and its events, 1-3650.
      """)
  var attendanceDays = 30

  @Option(
    help:
      "Maximum number of meeting events for webhooks, 100-10000000. The oldest are deleted first.")
  var maxMeetingEvents = 100_000

  @Option(help: "Maximum seconds that a webhook may take to answer, 1-60.")
  var webhookTimeoutSeconds = 10

  @Option(help: "Maximum seconds between two attempts to deliver to a failing webhook, 1-3600.")
  var webhookMaxBackoffSeconds = 60

  @Option(help: "Seconds after which a meeting without attendees ends, 1-86400.")
  var idleMeetingSeconds = 300

  @Option(help: "Maximum duration of a meeting in seconds, 1-604800.")
  var meetingSeconds = 86_400

  public init() {}

  public func validate() throws {
    try Self.check(restPort, 0...65_535, "--rest-port")
    try Self.check(restConnections, 1...1_000_000, "--rest-connections")
    try Self.check(
      restConnectionsPerAddress, 1...1_000_000, "--rest-connections-per-address")
    try Self.check(clientEventDays, 1...3_650, "--client-event-days")
    try Self.check(maxClientEvents, 1_000...100_000_000, "--max-client-events")
    try Self.check(attendanceDays, 1...3_650, "--attendance-days")
    try Self.check(maxMeetingEvents, 100...10_000_000, "--max-meeting-events")
    try Self.check(webhookTimeoutSeconds, 1...60, "--webhook-timeout-seconds")
    try Self.check(
      webhookMaxBackoffSeconds, 1...3_600, "--webhook-max-backoff-seconds")
    try Self.check(maxAttendees, 2...10_000, "--max-attendees")
    try Self.check(clientBudgetKib, 64...1_048_576, "--client-budget-kib")
    try Self.check(keepAliveMs, 100...10_000, "--keep-alive-ms")
    try Self.check(idleConnectionSeconds, 1...3_600, "--idle-connection-seconds")
    guard idleConnectionSeconds * 1_000 >= 3 * keepAliveMs else {
      throw ValidationError(
        "--idle-connection-seconds must be three times --keep-alive-ms or more; "
          + "got \(idleConnectionSeconds).")
    }
    try Self.check(maxConnections, 1...1_000_000, "--max-connections")
    try Self.check(maxConnectionsPerAddress, 1...1_000_000, "--max-connections-per-address")
    try Self.check(requestsPerSecond, 1...100_000, "--requests-per-second")
    try Self.check(requestBurst, 1...1_000_000, "--request-burst")
    guard (tlsCertificateFile == nil) == (tlsKeyFile == nil) else {
      throw ValidationError(
        "--tls-certificate-file and --tls-key-file need each other; set both or neither.")
    }
    try Self.check(clockSkewSeconds, 1...86_400, "--clock-skew-seconds")
    try Self.check(idleMeetingSeconds, 1...86_400, "--idle-meeting-seconds")
    try Self.check(meetingSeconds, 1...604_800, "--meeting-seconds")
    _ = try embedOrigins()
    guard webBranding == nil || webRoot != nil else {
      throw ValidationError(
        "--web-branding needs --web-root; set it to the directory of the pages.")
    }
    let rest = try restSettings(at: restPort)
    _ = try localURL(rest)
    _ = try lobbyMode(rest)
    _ = try advertisedEndpoint()
    _ = try Self.tcpEndpoint(operatorListen, "--operator-listen")
    if let publicUrl, PublicURL(publicUrl) == nil {
      throw ValidationError("--public-url must be http(s)://HOST[:PORT]; got \(publicUrl).")
    }
  }

  /// Returns the public endpoint for clients if it differs from the endpoint at which the gateway
  /// listens. The two differ, for example, if a container publishes the port under another port
  /// number.
  private func advertisedEndpoint() throws -> Endpoint? {
    try Self.tcpEndpoint(publicGateway, "--public-gateway")
  }

  /// Returns the origins whose pages may embed the meeting page; `nil` if `--web-embed-origins` is
  /// absent.
  private func embedOrigins() throws -> EmbedOrigins? {
    guard let webEmbedOrigins else { return nil }
    guard let origins = EmbedOrigins(webEmbedOrigins) else {
      throw ValidationError(
        "--web-embed-origins must be 1-\(EmbedOrigins.most) origins https://HOST[:PORT] without a "
          + "path, separated by commas; http only for localhost; got \(webEmbedOrigins).")
    }
    guard webRoot != nil else {
      throw ValidationError(
        "--web-embed-origins needs --web-root; set it to the directory of the pages.")
    }
    return origins
  }

  /// Returns the settings of REST on a port.
  private func restSettings(at port: Int) throws -> RESTSettings {
    do {
      var settings = try RESTSettings(
        host: restHost, port: port,
        allowsUnsigned: allowUnsigned, mayBePlain: remote.insecureListen || restWithoutTls,
        isSecure: tlsCertificateFile != nil)
      (settings.maxConnections, settings.maxClients) = (restConnections, maxConnections)
      settings.maxConnectionsPerAddress = restConnectionsPerAddress
      return settings
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// Returns the URL under which programs on this machine reach REST.
  private func localURL(_ rest: RESTSettings) throws -> PublicURL {
    // The gateway later replaces port 0 by a free port. Until then, port 1 stands for this unknown
    // port.
    guard let url = rest.localURL(port: rest.port == 0 ? 1 : rest.port) else {
      throw ValidationError("--rest-host must be a host name or an IP address; got \(restHost).")
    }
    return url
  }

  /// The lobby that the flags specify.
  private enum LobbyMode {
    case closed
    case open
    case key(file: String)
  }

  /// Returns the lobby that the flags specify.
  ///
  /// - Throws: `ValidationError` for an open lobby on an address other than loopback, and for a
  ///   lobby that needs a key but has no key file.
  private func lobbyMode(_ rest: RESTSettings) throws -> LobbyMode {
    switch webLobby {
    case .off: return .closed
    case .open:
      guard !rest.isExposed else {
        throw ValidationError(
          """
          --web-lobby open works on this machine only, and --rest-host is \(rest.host); use \
          --web-lobby key with --web-lobby-key-file.
          """)
      }
      return .open
    case .key:
      guard let webLobbyKeyFile else {
        throw ValidationError(
          "--web-lobby key needs --web-lobby-key-file; name a file for the key.")
      }
      return .key(file: webLobbyKeyFile)
    }
  }

  public func makeServices(in host: Host) async throws -> [any Service] {
    let data = try host.makeDataDirectory()
    let limits = makeLimits()
    let installation = try InstallationKey(file: tokenKeyFile ?? data + "/token.key")
    let location = host.store.map(StoreLocation.postgresql) ?? .directory(data)
    let store = try MeetingStore(
      in: location, tokens: JoinTokenIssuer(installation), limits: limits,
      keeping: RecordRetention(maxEvents: maxMeetingEvents),
      maxMeetings: controlAPI.maxMeetings > 0 ? controlAPI.maxMeetings : nil)
    let keys = AccessKeyFile(
      path: accessKeyFile ?? data + "/access-keys.json", installation: installation)
    let rest = try restSettings(at: try freeRestPort())
    let origins = OriginPolicy((allowedOrigins ?? "").split(separator: ",").map { String($0) })
    // All gateways of an installation have the same key, so several gateways can share one address.
    let key =
      remote.isEncrypted ? CurveSecretKey(bytes: installation.gatewayCurveSecret) : nil
    let (admission, reader) = try makeAdmission(in: host)
    var settings = try makeSettings(in: host, limits, makeListenerOptions(key, admission))
    settings.operatorPort = try makeOperatorPort(in: host, admission)
    let gateway = GatewayService(
      settings: settings, control: try makeControlSettings(settings, rest, key), store: store,
      registry: host.makeRegistry(),
      context: try host.makeContext(ioThreads: 2), host: host)
    for service in [
      PresenceServiceConnector.id, MessagingServiceConnector.id, TilesServiceConnector.id,
      MediaServiceConnector.id,
    ] {
      host.health.register(service.name) { [gateway] in try await gateway.check(service) }
    }
    host.health.register("storage") { try await store.check() }
    let control = gateway.control
    let events = ClientEventIntake(
      into: try ClientEventsStore(in: location, capacity: maxClientEvents),
      of: control, keepingFor: .seconds(86_400 * clientEventDays))
    let lobby = try makeLobby(rest)
    let metrics = RESTMetrics(host.metrics)
    let embedding = try embedOrigins().map {
      WebEmbedding(origins: $0, refused: metrics.refusedEmbeddings)
    }
    let face = RESTHandler(
      control: control,
      authenticator: LobbyAuthenticator(
        lobby: lobby, operatorKey: try makeOperatorKey(),
        others: try makeAuthenticator(keys, control)),
      events: events, metrics: metrics,
      web: WebPageHandler(
        files: try makeWebFiles(), lobby: lobby, origins: origins,
        desk: LobbyAdmission(), embedding: embedding,
        languages: { await gateway.transcriptionLanguages() }),
      rate: controlAPI.makeRequestRate())
    let local: [any Service] =
      try localAccessKey
      ? [LocalKeyService(keys, for: control.settings.localURL.text, in: host)] : []
    return [
      reader, gateway,
      MeetingExpiry(
        control: control, events: events,
        terms: MeetingExpiry.Terms(
          limits, keepingRecordsFor: .seconds(86_400 * attendanceDays))),
      makeWebhooks(control, in: host),
      RESTService(
        settings: rest, face: face, certificate: try makeCertificate(host.logger),
        logger: host.logger,
        browsers: WebSocketUpgradeSetup(
          mailbox: gateway.browserMailbox, origins: origins, metrics: gateway.browserMetrics,
          timeout: TimeAmount(rest.timeout))),
    ] + local
  }

  /// Reads the pages and their branding; returns `nil` if the gateway serves no page.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if a file cannot be used.
  private func makeWebFiles() throws(HostError) -> WebFiles? {
    guard let webRoot else { return nil }
    let branding = try webBranding.map(BrandingFile.branding(in:)) ?? Branding()
    return try WebFiles(below: webRoot, as: branding)
  }

  private func makeWebhooks(_ control: ControlPlane, in host: Host) -> WebhookService {
    var rules = WebhookDeliverySchedule.RetryLimits()
    rules.longestPause = .seconds(webhookMaxBackoffSeconds)
    return WebhookService(
      of: control, at: host.instance, rules: rules, metrics: WebhookMetrics(host.metrics),
      timeout: .seconds(webhookTimeoutSeconds))
  }

  /// Makes the authenticator of requests to the control API.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if the key file is unusable.
  private func makeAuthenticator(
    _ keys: AccessKeyFile, _ control: ControlPlane
  ) throws -> any RequestAuthenticator {
    guard !allowUnsigned else { return UnsignedAuthenticator() }
    do { _ = try keys.keys() } catch { throw HostError.configuration("\(error)") }
    let regions = (signingRegions ?? "").split(separator: ",").map { String($0) }
    return SignatureAuthenticator(
      keys: AccessKeyRing(keys),
      verifier: SignatureVerifier(
        tolerance: .seconds(clockSkewSeconds), regions: Set(regions)),
      now: control.settings.now, logger: control.logger)
  }

  /// Makes the lobby, through which people join from the web page.
  ///
  /// - Throws: ``HostError/configuration(_:)`` for an unusable key.
  private func makeLobby(_ rest: RESTSettings) throws -> MeetingStartPolicy {
    switch try lobbyMode(rest) {
    case .closed: .closed
    case .open: .open
    case .key(let file): .key(try WebLobbyMode.key(in: file, of: "--web-lobby-key-file"))
    }
  }

  /// Reads the key of the operator's page; returns `nil` if the gateway has none.
  private func makeOperatorKey() throws(HostError) -> [UInt8]? {
    guard let webOperatorKeyFile else { return nil }
    return try WebLobbyMode.key(in: webOperatorKeyFile, of: "--web-operator-key-file")
  }

  /// Makes the certificate of the REST interface; returns `nil` if TLS is off.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if the files are unusable.
  private func makeCertificate(_ logger: Logger) throws -> RESTServerCertificate? {
    guard let tlsCertificateFile, let tlsKeyFile else { return nil }
    return try RESTServerCertificate(tlsCertificateFile, key: tlsKeyFile, logger: logger)
  }

  /// Makes the list of keys with which clients may connect over tcp, and the service that updates
  /// this list.
  private func makeAdmission(in host: Host) throws -> (KeyAdmission, AllowListReader) {
    let list: AllowList
    do { list = try host.keys.list() } catch { throw HostError.configuration(error.status.message) }
    let metrics = RefusedPeerMetrics(of: host)
    let admission = KeyAdmission(list) { metrics.count($0) }
    return (
      admission,
      AllowListReader(admission, of: host.keys, metrics: metrics, logger: host.logger)
    )
  }

  /// Makes the tcp port for operators' tools; returns `nil` if the options specify none.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if this host has no keys.
  private func makeOperatorPort(
    in host: Host, _ admission: KeyAdmission
  ) throws -> SecuredPort? {
    guard let endpoint = try Self.tcpEndpoint(operatorListen, "--operator-listen") else {
      return nil
    }
    let keys = try host.serviceKeys()
    host.logger.notice(
      "Accepting the operator's tools over tcp",
      metadata: [LogMetadataKey.endpoint: "\(endpoint.encrypted(for: keys.publicKey))"])
    return SecuredPort(endpoint, for: .operator, as: keys, letting: admission)
  }

  private func makeListenerOptions(
    _ key: CurveSecretKey?, _ admission: KeyAdmission
  ) -> ListenerLimits {
    var options = ListenerLimits.requests
    options.security = .ofClients(servedBy: key, letting: admission)
    options.admission = admission
    options.connections = maxConnections
    options.connectionsPerAddress = maxConnectionsPerAddress
    options.idleLimit = .seconds(idleConnectionSeconds)
    return options
  }

  private func makeLimits() -> InstallationLimits {
    var limits = InstallationLimits()
    limits.maxAttendees = maxAttendees
    limits.maxReplicas = controlAPI.maxReplicas
    limits.idleMeeting = .seconds(idleMeetingSeconds)
    limits.maxMeeting = .seconds(meetingSeconds)
    return limits
  }

  private func freeRestPort() throws(HostError) -> Int {
    if restPort == 0 { return try FreePort.find() }
    return remote.portAttempts > 1
      ? try FreePort.first(of: remote.portAttempts, from: restPort) : restPort
  }

  private func makeControlSettings(
    _ settings: GatewaySettings, _ rest: RESTSettings, _ key: CurveSecretKey?
  ) throws -> ControlSettings {
    let localURL = try localURL(rest)
    // Clients on other machines receive the tcp endpoint. Clients on this machine may use the tcp
    // endpoint or the Unix socket.
    var client =
      try advertisedEndpoint() ?? settings.clientEndpoints.last ?? settings.operatorEndpoint
    if let key { client = client.encrypted(for: key.publicKey) }
    do {
      return try ControlSettings(
        gatewayURL: client.text, localURL: localURL, publicURL: publicUrl.flatMap { PublicURL($0) },
        additionalRegions: controlAPI.additionalRegions, controlRegion: controlAPI.controlRegion,
        account: controlAPI.account, maxAttendees: maxAttendees, now: { Int64(WallClock.nowMs) })
    } catch {
      throw HostError.configuration(error.message)
    }
  }

  private func makeSettings(
    in host: Host, _ limits: InstallationLimits, _ listening: ListenerLimits
  ) throws -> GatewaySettings {
    var endpoints = [try Endpoint.ipc(host.ipcPath("client"))]
    if let tcp = try remote.place() { endpoints.append(tcp) }
    if remote.insecureListen {
      host.logger.warning(
        """
        --insecure-listen: tcp clients without CURVE and REST without TLS are not encrypted; use \
        it only on a trusted network
        """)
    }
    return GatewaySettings(
      instance: host.instance, clientEndpoints: endpoints,
      operatorEndpoint: try .ipc(host.ipcPath("operator")),
      clientBudgetBytes: clientBudgetKib << 10, keepAlive: .milliseconds(keepAliveMs),
      listening: listening,
      requestRate: RateLimit(perSecond: requestsPerSecond, burst: requestBurst),
      joinTimeout: .seconds(5), limits: limits,
      host: HostIdentity.of(runtimeDirectory: host.runtimeDirectory))
  }
}
