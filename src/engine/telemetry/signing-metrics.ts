/** Metrics of certificates that signers issue for certificate signing requests. */
import type { MetricRegistry } from './registry'

const OWN = 'kubernetes.io/'

export class SigningMetrics {
  private readonly requested
  private readonly honored

  constructor(registry: MetricRegistry) {
    this.requested = registry.numbers(
      'apiserver_certificates_registry_csr_requested_duration_total',
    )
    this.honored = registry.numbers('apiserver_certificates_registry_csr_honored_duration_total')
  }

  /** A certificate was issued for a request with a duration. @param isHonored it has that duration */
  issued(signer: string, isHonored: boolean): void {
    const signerName = signer.startsWith(OWN) ? signer : 'other'
    this.requested.at({ signerName }).value++
    if (isHonored) this.honored.at({ signerName }).value++
  }
}
