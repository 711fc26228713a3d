export interface JwtMetrics {
  /** For tokens of a known issuer. */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void
  /** @param time milliseconds since the epoch */
  reloaded(status: 'success' | 'failure', time: number): void
}
