/** Metrics of Pod Security. kubernetes.io, "Kubernetes Metrics Reference". */
import type { Cell, Labels } from './instruments'
import type { MetricRegistry } from './registry'

const USUAL = {
  decision: 'allow',
  policy_level: 'privileged',
  policy_version: 'latest',
  mode: 'enforce',
}

export class PodSecurityInstruments {
  private readonly evaluations
  private readonly exemptions
  private readonly errors

  constructor(registry: MetricRegistry) {
    this.evaluations = registry.numbers('pod_security_evaluations_total')
    this.exemptions = registry.numbers('pod_security_exemptions_total')
    this.errors = registry.numbers('pod_security_errors_total')
  }

  begin(): void {
    for (const request_operation of ['create', 'update']) {
      this.evaluations.at({ ...USUAL, request_operation, resource: 'pod', subresource: '' })
      for (const resource of ['pod', 'controller'])
        this.exemptions.at({ request_operation, resource, subresource: '' })
    }
  }

  /** Every pod is evaluated. */
  private readonly cells = new Map<string, Cell>()

  evaluated(policy: object, request: object): void {
    const key = `${Object.values(policy).join()} ${Object.values(request).join()}`
    let cell = this.cells.get(key)
    if (cell === undefined)
      this.cells.set(key, (cell = this.evaluations.at({ ...policy, ...request } as Labels)))
    cell.value++
  }

  exempted(request: object): void {
    this.exemptions.at({ ...request } as Labels).value++
  }

  failed(request: object): void {
    this.errors.at({ fatal: 'false', ...request }).value++
  }
}
