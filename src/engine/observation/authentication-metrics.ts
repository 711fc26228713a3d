/** The metrics of authentication, by the names, labels and buckets of the real server (public documentation, "Kubernetes metrics reference"). */
import type { JwtMetrics } from '../authentication/jwt/metrics'
import { sha256 } from '../encoding/sha256'
import { Histogram, type Instrument, Numbers } from './instruments'

/** There is one server; the real one tells several apart by a hash of their names. */
const SERVER = { apiserver_id_hash: '' }

export class AuthenticationInstruments implements JwtMetrics, Instrument {
  private readonly latency = new Histogram(
    {
      name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
      stability: 'ALPHA',
      help: 'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
    },
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  private readonly reloads = new Numbers(
    {
      name: 'apiserver_authentication_config_controller_automatic_reloads_total',
      stability: 'ALPHA',
      help: 'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
    },
    'counter',
  )
  private readonly lastReload = new Numbers(
    {
      name: 'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
      stability: 'ALPHA',
      help: 'Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
    },
    'gauge',
  )

  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void {
    this.latency.at({ jwt_issuer_hash: hashOf(issuer), result }).observe(seconds)
  }

  reloaded(status: 'success' | 'failure', time: number): void {
    this.reloads.at({ ...SERVER, status }).value++
    this.lastReload.at({ ...SERVER, status }).value = time / 1000
  }

  write(lines: string[]): void {
    for (const one of [this.lastReload, this.reloads, this.latency]) one.write(lines)
  }
}

/** `sha256:…` in hexadecimal digits. */
const hashOf = (text: string): string =>
  `sha256:${[...sha256(new TextEncoder().encode(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
