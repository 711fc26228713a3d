/** The metrics of authentication, by the names, labels and buckets of the real server (public documentation, "Kubernetes metrics reference"). */
import type { JwtMetrics } from '../authentication/jwt/metrics'
import type { ServiceAccountMetrics } from '../authentication/service-accounts/metrics'
import { sha256 } from '../encoding/sha256'
import { Histogram, type Instrument, Numbers } from './instruments'

/** There is one server; the real one tells several apart by a hash of their names. */
const SERVER = { apiserver_id_hash: '' }

type TokenKind = Parameters<ServiceAccountMetrics['serviceAccountToken']>[0]

export class AuthenticationInstruments implements JwtMetrics, ServiceAccountMetrics, Instrument {
  private readonly tokens: Record<TokenKind, Numbers> = {
    invalidated: uses('invalid_legacy_auto_token_uses', 'Cumulative invalid legacy tokens used'),
    automatic: uses('legacy_auto_token_uses', 'Cumulative auto-generated legacy tokens used'),
    manual: uses('legacy_manual_token_uses', 'Cumulative manually created legacy tokens used'),
    legacy: uses('legacy_tokens', 'Cumulative legacy service account tokens used'),
    stale: uses('stale_tokens', 'Cumulative stale projected service account tokens used'),
    valid: uses('valid_tokens', 'Cumulative valid projected service account tokens used'),
  }
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

  serviceAccountToken(kind: TokenKind): void {
    this.tokens[kind].at({}).value++
  }

  write(lines: string[]): void {
    for (const one of [this.lastReload, this.reloads, this.latency, ...Object.values(this.tokens)]) one.write(lines)
  }
}

function uses(name: string, help: string): Numbers {
  return new Numbers({ name: `serviceaccount_${name}_total`, stability: 'ALPHA', help }, 'counter')
}

/** `sha256:…` in hexadecimal digits. */
const hashOf = (text: string): string =>
  `sha256:${[...sha256(new TextEncoder().encode(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
