export interface ServiceAccountMetrics {
  /**
   * For each use. Tokens in Secrets are `legacy`, and `manual`, `automatic` or `invalidated`;
   * others `valid`, or `stale` if late.
   */
  serviceAccountToken(
    kind: 'legacy' | 'manual' | 'automatic' | 'invalidated' | 'valid' | 'stale',
  ): void
}
