import type { PolicyFinding } from '../../../hosts/shared/channel'

export interface Column {
  policy: string
  index: number
}

export interface Cell {
  /**
   * `fails` in one finding is `fails`; absent: no policy matched, or a match condition excluded it.
   */
  outcome: 'holds' | 'fails' | 'unknown' | 'skipped' | 'failed' | 'absent'
  /** Summed over bindings and parameters. */
  cost: number
  messages: string[]
}

export function columnsOf(findings: readonly (readonly PolicyFinding[])[]): Column[] {
  const counts = new Map<string, number>()
  for (const { policy, validations } of findings.flat())
    counts.set(policy, Math.max(counts.get(policy) ?? 1, validations.length))
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([policy, count]) => Array.from({ length: count }, (_, index) => ({ policy, index })))
}

/** The most significant outcome last. */
const WEIGHTS = ['absent', 'skipped', 'holds', 'unknown', 'failed', 'fails'] as const

export function cellOf(findings: readonly PolicyFinding[], { policy, index }: Column): Cell {
  const cell: Cell = { outcome: 'absent', cost: 0, messages: [] }
  const take = (outcome: Cell['outcome'], message: string | undefined): void => {
    if (WEIGHTS.indexOf(outcome) > WEIGHTS.indexOf(cell.outcome)) cell.outcome = outcome
    if (message !== undefined && !cell.messages.includes(message)) cell.messages.push(message)
  }
  for (const finding of findings) {
    if (finding.policy !== policy) continue
    if (finding.outcome !== 'evaluated') take(finding.outcome, finding.message)
    const validation = finding.validations.find((one) => one.index === index)
    if (validation === undefined) continue
    take(validation.outcome, validation.message)
    cell.cost += validation.cost
  }
  return cell
}

/** Sums the costs of all evaluations. */
export const totalCost = (findings: readonly PolicyFinding[]): number =>
  findings.flatMap(({ validations }) => validations).reduce((sum, { cost }) => sum + cost, 0)
