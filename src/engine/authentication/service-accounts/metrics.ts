/** The metrics interface of service account tokens; `telemetry` implements it. */
export interface ServiceAccountMetrics {
  /** A token was used. `legacy` ones are held by Secrets, made by hand or automatically, some marked as invalid; others are good, or used late. */
  serviceAccountToken(
    kind: 'legacy' | 'manual' | 'automatic' | 'invalidated' | 'valid' | 'stale',
  ): void
}
