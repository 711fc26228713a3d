import { HEALTH_FAMILIES } from './families/health'
import { Numbers } from './instruments'

/** With the last results. */
export class HealthCounts {
  private readonly last = new Numbers(
    'kubernetes_healthcheck',
    HEALTH_FAMILIES.kubernetes_healthcheck,
  )
  private readonly total = new Numbers(
    'kubernetes_healthchecks_total',
    HEALTH_FAMILIES.kubernetes_healthchecks_total,
  )

  note(type: string, name: string, passed: boolean): void {
    this.last.at({ name, type }).value = passed ? 1 : 0
    this.total.at({ name, type, status: passed ? 'success' : 'error' }).value++
  }

  text(): string {
    const lines: string[] = []
    for (const numbers of [this.last, this.total]) numbers.write(lines)
    return lines.map((line) => `${line}\n`).join('')
  }
}
