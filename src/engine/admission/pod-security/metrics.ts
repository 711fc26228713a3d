/** Counts evaluations of Pod Security. kubernetes.io, "Kubernetes Metrics Reference". */
import { entryOf } from '../../core/object'
import { hasCome } from '../../releases/release'
import type { AdmissionAttributes } from '../admission'
import type { LevelVersion } from './policy'

export interface CheckedRequest {
  request_operation: string
  resource: 'pod' | 'namespace' | 'controller'
  subresource: string
}

export interface CheckedPolicy {
  decision: 'allow' | 'deny'
  policy_level: string
  policy_version: string
  mode: 'enforce' | 'audit' | 'warn'
}

export interface PodSecurityMetrics {
  /** Initializes the most common series with zero. */
  begin(): void
  evaluated(policy: CheckedPolicy, request: CheckedRequest): void
  exempted(request: CheckedRequest): void
  /** The labels were invalid, so the strictest policy applied. */
  failed(request: CheckedRequest): void
}

const KINDS: Record<string, CheckedRequest['resource']> = { pods: 'pod', namespaces: 'namespace' }

export class Tally {
  private readonly request: CheckedRequest

  constructor(
    private readonly metrics: PodSecurityMetrics,
    { operation, resource, subresource }: AdmissionAttributes,
    private readonly release: string,
  ) {
    this.request = {
      request_operation: operation.toLowerCase(),
      resource: entryOf(KINDS, resource) ?? 'controller',
      subresource,
    }
  }

  evaluated(
    mode: CheckedPolicy['mode'],
    { level, version }: LevelVersion,
    decision: CheckedPolicy['decision'],
  ): void {
    const policy_version =
      level === 'privileged' || version === 'latest' ? 'latest' : this.versionOf(version)
    this.metrics.evaluated({ decision, policy_level: level, policy_version, mode }, this.request)
  }

  exempted(): void {
    this.metrics.exempted(this.request)
  }

  failed(): void {
    this.metrics.failed(this.request)
  }

  private versionOf(minor: number): string {
    return hasCome(`1.${minor}`, this.release) ? `v1.${minor}` : 'future'
  }
}
