/** The metrics interface of service account tokens; `telemetry` implements it. */
export interface ServiceAccountMetrics {
  /**
   * Called for each use. `legacy` tokens are those in Secrets, created manually or automatically,
   * possibly marked as invalid. Other tokens are valid, or used late.
   */
  serviceAccountToken(
    kind: 'legacy' | 'manual' | 'automatic' | 'invalidated' | 'valid' | 'stale',
  ): void
}
