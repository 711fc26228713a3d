/**
 * Metrics of OpenAPI documents of custom resources. kube-apiserver creates the series of a document,
 * and never increments it (k8s.io/apiextensions-apiserver, pkg/controller/openapi and openapiv3).
 */
import type { MetricRegistry } from './registry'

type RegenerationReason = 'add' | 'update' | 'remove'

export class DefinitionMetrics {
  private readonly v2
  private readonly v3

  constructor(registry: MetricRegistry) {
    this.v2 = registry.numbers('apiextensions_openapi_v2_regeneration_count')
    this.v3 = registry.numbers('apiextensions_openapi_v3_regeneration_count')
  }

  /** @param crd the name of the definition */
  documented(crd: string, reason: RegenerationReason): void {
    this.v2.at({ crd, reason })
  }

  /** @param crd the name of the definition */
  documentedVersion(crd: string, group: string, version: string, reason: RegenerationReason): void {
    this.v3.at({ crd, group, version, reason })
  }
}
