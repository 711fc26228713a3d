import { describe, expect, it, vi } from 'vitest'
import { conformanceCases, Foreign, otherType, runCase } from './conformance'
import { UNSUPPORTED_CASES } from './unsupported-cases'

vi.setConfig({ testTimeout: 60_000 })

const isBelow = (name: string, entry: string): boolean =>
  entry.endsWith('/') ? name.startsWith(entry) : name === entry

describe('the official conformance cases', () => {
  const foreign = new Map<string, number>()
  const failed = new Map<string, string>()
  let passed = 0
  for (const one of conformanceCases()) {
    try {
      const difference = runCase(one)
      if (difference === undefined) passed++
      else failed.set(one.name, difference)
    } catch (error) {
      if (!(error instanceof Foreign)) throw error
      foreign.set(error.reason, (foreign.get(error.reason) ?? 0) + 1)
    }
  }
  const entries = Object.keys(UNSUPPORTED_CASES)

  it('pass, except those listed with a reason', () => {
    const unexplained = [...failed].filter(
      ([name]) => !entries.some((entry) => isBelow(name, entry)),
    )
    expect(unexplained).toEqual([])
  })

  it('have the types of the reference checker', () => {
    const others = conformanceCases().flatMap((one) => {
      try {
        const type = otherType(one)
        return type === undefined ? [] : [`${one.name}: ${type}`]
      } catch (error) {
        if (error instanceof Foreign) return []
        throw error
      }
    })
    expect(others).toEqual([])
  })

  it('are listed only if they fail', () => {
    expect(
      entries.filter((entry) => ![...failed.keys()].some((name) => isBelow(name, entry))),
    ).toEqual([])
  })

  it('are mostly supported by the environment', () => {
    const skipped = [...foreign].map(([reason, count]) => `${count} need ${reason}`).join(', ')
    const share = ((100 * passed) / (passed + failed.size)).toFixed(1)
    process.stdout.write(
      `conformance: ${passed} of ${passed + failed.size} pass (${share}%), ${failed.size} differ for a listed reason; ${skipped}\n`,
    )
    expect(passed).toBeGreaterThan(1320)
  })
})
