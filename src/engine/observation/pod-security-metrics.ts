/** The metrics of PodSecurity, by the names, labels and help texts of the real server (public documentation, "Kubernetes metrics reference"). */
import { type Cell, counter, type Instrument, type Labels } from './instruments'

const USUAL = { decision: 'allow', policy_level: 'privileged', policy_version: 'latest', mode: 'enforce' }

export class PodSecurityInstruments implements Instrument {
  private readonly evaluations = counter(
    'pod_security_evaluations_total',
    'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
  )
  private readonly exemptions = counter(
    'pod_security_exemptions_total',
    'Number of exempt requests, not counting ignored or out of scope requests.',
  )
  private readonly errors = counter(
    'pod_security_errors_total',
    'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
  )

  begin(): void {
    for (const request_operation of ['create', 'update']) {
      this.evaluations.at({ ...USUAL, request_operation, resource: 'pod', subresource: '' })
      for (const resource of ['pod', 'controller']) this.exemptions.at({ request_operation, resource, subresource: '' })
    }
  }

  /** Every pod is evaluated, mostly with the same outcome: the texts of its labels are made once. */
  private readonly cells = new Map<string, Cell>()

  evaluated(policy: object, request: object): void {
    const key = `${Object.values(policy).join()} ${Object.values(request).join()}`
    let cell = this.cells.get(key)
    if (cell === undefined) this.cells.set(key, (cell = this.evaluations.at({ ...policy, ...request } as Labels)))
    cell.value++
  }

  exempted(request: object): void {
    this.exemptions.at({ ...request } as Labels).value++
  }

  failed(request: object): void {
    this.errors.at({ fatal: 'false', ...request }).value++
  }

  write(lines: string[]): void {
    for (const one of [this.errors, this.evaluations, this.exemptions]) one.write(lines)
  }
}
