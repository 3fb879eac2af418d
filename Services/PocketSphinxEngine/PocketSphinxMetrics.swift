import ServiceHost

/// The metrics of the engine, `carillon_pocketsphinx_…`.
struct PocketSphinxMetrics {
  let attachments: Gauge
  let pieces: Counter
  let results: Counter
  let failures: Counter

  init(in registry: MetricsRegistry) {
    attachments = registry.gauge(
      "carillon_pocketsphinx_attachments",
      help: "Instances of transcription to which the engine is attached.")
    pieces = registry.counter(
      "carillon_pocketsphinx_decoded_chunks_total", help: "Chunks of speech that were decoded.")
    results = registry.counter(
      "carillon_pocketsphinx_results_total", help: "Partial and final results of the engine.")
    failures = registry.counter(
      "carillon_pocketsphinx_failures_total", help: "Talkers whose recognition failed.")
  }
}
