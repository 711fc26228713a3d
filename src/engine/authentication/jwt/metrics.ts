/** The metrics interface of ID tokens; `telemetry` implements it. */
export interface JwtMetrics {
  /** A token of a known issuer was looked at. */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void
  /** The configuration file was read again. @param time milliseconds since the epoch */
  reloaded(status: 'success' | 'failure', time: number): void
}
