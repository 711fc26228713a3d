/** The metrics interface of ID tokens; `telemetry` implements it. */
export interface JwtMetrics {
  /** Called for tokens of a known issuer. */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void
  /** Called after the configuration file is reloaded. @param time milliseconds since the epoch */
  reloaded(status: 'success' | 'failure', time: number): void
}
