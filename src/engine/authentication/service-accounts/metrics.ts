/** What is counted of service account tokens; how it is written is observation's business. */
export interface ServiceAccountMetrics {
  /** A token was used. `legacy` ones are held by Secrets, made by hand or automatically, some marked as invalid; others are good, or used late. */
  serviceAccountToken(
    kind: 'legacy' | 'manual' | 'automatic' | 'invalidated' | 'valid' | 'stale',
  ): void
}
