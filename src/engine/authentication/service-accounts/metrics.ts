export interface ServiceAccountMetrics {
  /**
   * Tokens in Secrets: `legacy`, and `manual`, `automatic` or `invalidated`. Others: `valid`, or
   * `stale` if late.
   */
  serviceAccountToken(
    kind: 'legacy' | 'manual' | 'automatic' | 'invalidated' | 'valid' | 'stale',
  ): void
}
