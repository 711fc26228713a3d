import type { FieldError } from '../../http/status'

export interface Verdict {
  errors: FieldError[]
  /** If all alternatives fail, the one with the most is reported. */
  checked: number
}

export const nothing = (checked = 0): Verdict => ({ errors: [], checked })

export const isValid = ({ errors }: Verdict): boolean => errors.length === 0

export function furthest(verdicts: Verdict[]): Verdict {
  return verdicts.reduce((best, verdict) => (verdict.checked > best.checked ? verdict : best))
}
