import ServiceHost

/// What the engine counts, as `carillon_pocketsphinx_…`.
struct PocketSphinxMetrics {
  let attachments: Gauge
  let pieces: Counter
  let results: Counter
  let failures: Counter

  init(in registry: MetricsRegistry) {
    attachments = registry.gauge(
      "carillon_pocketsphinx_attachments",
      help: "Instances of transcription that it is attached to.")
    pieces = registry.counter(
      "carillon_pocketsphinx_pieces_total", help: "Pieces of speech that were worked through.")
    results = registry.counter(
      "carillon_pocketsphinx_results_total", help: "Partial and final results.")
    failures = registry.counter(
      "carillon_pocketsphinx_failures_total", help: "Talkers that were given up.")
  }
}
