/** Metrics of authentication. kubernetes.io, "Kubernetes Metrics Reference". */
import type { CertificateMetrics } from '../authentication/client-certificate'
import type { JwtMetrics } from '../authentication/jwt/metrics'
import type { ServiceAccountMetrics } from '../authentication/service-accounts/metrics'
import { sha256 } from '../encoding/sha256'
import type { Cell } from './instruments'
import type { MetricRegistry } from './registry'

/** kube-apiserver hashes its name; here there is one server. */
const SERVER = { apiserver_id_hash: '' }

type TokenKind = Parameters<ServiceAccountMetrics['serviceAccountToken']>[0]

export class AuthenticationInstruments
  implements JwtMetrics, ServiceAccountMetrics, CertificateMetrics
{
  private readonly tokens: Record<TokenKind, Cell>
  private readonly latency
  private readonly lifetimes
  private readonly reloads
  private readonly lastReload

  constructor(registry: MetricRegistry) {
    this.tokens = {
      invalidated: registry.numbers('serviceaccount_invalid_legacy_auto_token_uses_total').at({}),
      automatic: registry.numbers('serviceaccount_legacy_auto_token_uses_total').at({}),
      manual: registry.numbers('serviceaccount_legacy_manual_token_uses_total').at({}),
      legacy: registry.numbers('serviceaccount_legacy_tokens_total').at({}),
      stale: registry.numbers('serviceaccount_stale_tokens_total').at({}),
      valid: registry.numbers('serviceaccount_valid_tokens_total').at({}),
    }
    this.latency = registry.histogram('apiserver_authentication_jwt_authenticator_latency_seconds')
    this.lifetimes = registry.histogram('apiserver_client_certificate_expiration_seconds').at({})
    this.reloads = registry.numbers(
      'apiserver_authentication_config_controller_automatic_reloads_total',
    )
    this.lastReload = registry.numbers(
      'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
    )
  }

  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void {
    this.latency.at({ jwt_issuer_hash: hashOf(issuer), result }).observe(seconds)
  }

  reloaded(status: 'success' | 'failure', time: number): void {
    this.reloads.at({ ...SERVER, status }).value++
    this.lastReload.at({ ...SERVER, status }).value = time / 1000
  }

  certificateLifetime(seconds: number): void {
    this.lifetimes.observe(seconds)
  }

  serviceAccountToken(kind: TokenKind): void {
    this.tokens[kind].value++
  }
}

/** `sha256:…` */
const hashOf = (text: string): string =>
  `sha256:${[...sha256(new TextEncoder().encode(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
