import { equalJson, type Json } from '../../core/object'
import { goQuote } from '../../schema/go-text'

export class Enumeration {
  private readonly strings: ReadonlySet<Json>
  private readonly others: readonly Json[]
  private written: string | undefined

  constructor(private readonly allowed: readonly Json[]) {
    this.strings = new Set(allowed.filter((candidate) => typeof candidate === 'string'))
    this.others = allowed.filter((candidate) => typeof candidate !== 'string')
  }

  has(value: Json): boolean {
    if (value === null) return false
    if (typeof value === 'string') return this.strings.has(value)
    return this.others.some((candidate) => isMeant(candidate, value))
  }

  text(): string {
    this.written ??= this.allowed
      .map((candidate) =>
        goQuote(typeof candidate === 'string' ? candidate : JSON.stringify(candidate)),
      )
      .join(', ')
    return this.written
  }
}

/** Go truncates fractions for comparison with integers. */
function isMeant(candidate: Json, value: Json): boolean {
  if (typeof value === 'number' && typeof candidate === 'number' && Number.isInteger(candidate))
    return Math.trunc(value) === candidate
  return equalJson(candidate, value)
}
