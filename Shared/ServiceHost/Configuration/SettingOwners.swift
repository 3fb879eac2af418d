/// The settings that only some services have, and the services that have them.
///
/// A service rejects a setting that only other services have. With this table, the service's error
/// can name the services that have the setting. A test compares the table with the services
/// themselves.
enum SettingOwners {
  /// Returns the services that have the setting, in the order in which the services start; empty
  /// for an unknown setting.
  ///
  /// - Parameter variable: The setting's environment variable, such as `CARILLON_REST_PORT`.
  static func owners(of variable: String) -> [String] {
    flags.filter { $0.names.contains { EnvironmentSettableFlag.variable(of: $0) == variable } }.map(
      \.service)
  }

  private static let flags: [(service: String, names: Set<String>)] = [
    (
      "presence",
      [
        "cluster-advertise", "cluster-listen", "drop-after-seconds", "gateway-grace-seconds",
        "max-attendees", "recovery-seconds", "replay-events",
      ]
    ),
    (
      "messaging",
      [
        "attendee-flood-burst", "attendee-flood-per-second", "cluster-advertise",
        "cluster-listen", "data-message-burst", "data-message-bytes", "data-message-lifetime-ms",
        "data-messages-per-second", "idle-message-log-seconds", "kept-data-messages",
        "meeting-flood-burst", "meeting-flood-per-second", "resume-seconds",
      ]
    ),
    (
      "video-tiles",
      [
        "cluster-advertise", "cluster-listen", "drop-after-seconds", "gateway-grace-seconds",
        "max-cameras", "max-content-shares", "max-videos-without-subscription",
        "recovery-seconds", "replay-events",
      ]
    ),
    (
      "media",
      [
        "audio-bitrate", "audio-complexity", "cluster-advertise", "cluster-listen", "curve",
        "gateway-grace-seconds", "insecure-listen", "listen-tcp", "max-packet-bytes",
        "max-talkers", "port-attempts", "public-address", "public-media", "udp-port",
      ]
    ),
    (
      "transcription",
      [
        "cluster-advertise", "cluster-listen", "engine-wait-seconds", "max-interruption-seconds",
        "max-backlog-seconds", "max-engines", "recovery-seconds", "replay-events",
        "engine-report-seconds",
      ]
    ),
    (
      "pocketsphinx",
      [
        "language", "max-streams", "model", "threads",
      ]
    ),
    (
      "gateway",
      [
        "access-key-file", "account", "allow-unsigned", "allowed-origins", "attendance-days",
        "client-budget-kib", "client-event-days", "clock-skew-seconds", "control-region", "curve",
        "idle-connection-seconds", "idle-meeting-seconds", "insecure-listen", "keep-alive-ms",
        "listen-tcp", "local-access-key", "max-attendees", "max-client-events", "max-connections",
        "max-connections-per-address", "max-meeting-events", "max-meetings", "max-replicas",
        "media-regions", "meeting-seconds", "operator-listen", "port-attempts", "public-gateway",
        "public-url", "request-burst", "requests-per-second", "rest-connections",
        "rest-connections-per-address", "rest-host", "rest-port", "rest-request-burst",
        "rest-requests-per-second", "rest-without-tls", "signing-regions", "tls-certificate-file",
        "tls-key-file", "token-key-file", "web-branding", "web-embed-origins", "web-lobby",
        "web-lobby-key-file", "web-operator-key-file", "web-root",
        "webhook-max-backoff-seconds", "webhook-timeout-seconds",
      ]
    ),
  ]
}
