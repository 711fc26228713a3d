/** The deprecation policy as a calculator: its rules by example, and against what really became of API versions. */
import { describe, expect, it } from 'vitest'
import { LIFECYCLE } from '../../src/engine/generated/lifecycle'
import { dayOf, firstReleaseAfter, monthsLater } from '../../src/engine/releases/calendar'
import {
  evaluate,
  KINDS,
  type PolicyElement,
  RULES,
  stateIn,
  type Verdict,
} from '../../src/engine/releases/deprecation-policy'
import { compareReleases, RELEASES } from '../../src/engine/releases/release'

const removal = ({ removal }: Verdict) => (typeof removal === 'object' ? removal.release : removal)
const evaluated = (
  kind: PolicyElement['kind'],
  stage: PolicyElement['stage'],
  introduced: string,
  deprecated?: string,
) => evaluate({ kind, stage, introduced, ...(deprecated === undefined ? {} : { deprecated }) })
const of = (...element: Parameters<typeof evaluated>) => {
  const verdict = evaluated(...element)
  return [removal(verdict), verdict.by]
}

describe('the calendar', () => {
  it('knows the days of releases, and expects three a year after the last it knows', () => {
    expect(dayOf('1.31')).toEqual({ day: '2024-08-13', expected: false })
    expect(dayOf('1.40').expected).toBe(true)
    expect(monthsLater(dayOf('1.40').day, 12)).toBe(dayOf('1.43').day)
  })

  it('adds months as people do', () => {
    expect(monthsLater('2024-01-31', 1)).toBe('2024-02-29')
    expect(monthsLater('2023-11-15', 3)).toBe('2024-02-15')
  })

  it('takes the longer of months and releases', () => {
    expect(firstReleaseAfter('1.22', { months: 9, releases: 3 })).toBe('1.25')
    // Twelve months are more than two releases.
    expect(firstReleaseAfter('1.28', { months: 12, releases: 2 })).toBe('1.32')
    // Three months are less than one release.
    expect(firstReleaseAfter('1.28', { months: 3, releases: 1 })).toBe('1.29')
  })
})

describe('the rule that limits the removal of an element', () => {
  it('1: an element of an API stays in its version', () => {
    expect(of('api-element', 'beta', '1.20', '1.21')).toEqual(['never', '1'])
  })
  it('4a: a stable version stays, a beta one goes nine months and three releases after its deprecation, an alpha one at once', () => {
    expect(of('api-version', 'stable', '1.9', '1.20')).toEqual(['never', '4a'])
    expect(of('api-version', 'beta', '1.8', '1.21')).toEqual(['1.24', '4a'])
    expect(of('api-version', 'alpha', '1.8')).toEqual(['1.9', '4a'])
    expect(of('api-version', 'beta', '1.8')).toEqual(['not deprecated', '4a'])
  })
  it('5a: what users type', () => {
    expect(of('user-command', 'stable', '1.5', '1.28')).toEqual(['1.32', '5a'])
    expect(of('user-command', 'beta', '1.5', '1.28')).toEqual(['1.29', '5a'])
    expect(of('user-command', 'alpha', '1.5', '1.28')).toEqual(['1.29', '5a'])
  })
  it('5b: what administrators type', () => {
    expect(of('admin-command', 'stable', '1.5', '1.28')).toEqual(['1.30', '5b'])
    expect(of('admin-command', 'beta', '1.5', '1.28')).toEqual(['1.29', '5b'])
  })
  it('7: behavior works for a year', () => {
    expect(of('behavior', 'stable', '1.5', '1.28')).toEqual(['1.32', '7'])
  })
  it('9: the gate of a feature that became stable, or that ends', () => {
    expect(of('feature-gate', 'stable', '1.22', '1.28')).toEqual(['1.30', '9'])
    expect(of('feature-gate', 'beta', '1.22', '1.28')).toEqual(['1.29', '9'])
    expect(of('feature-gate', 'alpha', '1.22', '1.28')).toEqual(['1.29', '9'])
  })
  it('11b: a metric after its deprecation, hidden from the third release on', () => {
    const verdict = evaluated('metric', 'stable', '1.20', '1.28')
    expect([removal(verdict), verdict.by]).toEqual(['1.31', '11b'])
    expect(verdict.events).toContainEqual({
      release: '1.31',
      ...dayOf('1.31'),
      what: 'hidden',
      rule: '11b',
    })
    expect(of('metric', 'beta', '1.20', '1.28')).toEqual(['1.30', '11b'])
  })
  it('11a: a metric that was deprecated soon lives its shortest life', () => {
    expect(of('metric', 'stable', '1.28', '1.28')).toEqual(['1.32', '11a'])
  })
})

describe('the rules for what is to be kept meanwhile', () => {
  it('3, 5c, 8: what takes its place is not less stable', () => {
    const problems = (kind: PolicyElement['kind']) =>
      evaluate({
        kind,
        stage: 'stable',
        introduced: '1.20',
        deprecated: '1.28',
        replacement: { stage: 'beta', introduced: '1.28' },
      }).problems
    expect(problems('api-version')).toMatchObject([{ rule: '3' }])
    expect(problems('user-command')).toMatchObject([{ rule: '5c' }])
    expect(problems('behavior')).toMatchObject([{ rule: '8' }])
    expect(
      evaluate({
        kind: 'api-version',
        stage: 'beta',
        introduced: '1.20',
        replacement: { stage: 'stable', introduced: '1.22' },
      }).problems,
    ).toEqual([])
  })
  it('4a: a beta version is deprecated in time', () => {
    expect(evaluated('api-version', 'beta', '1.20').events).toContainEqual({
      release: '1.23',
      ...dayOf('1.23'),
      what: 'deprecate by',
      rule: '4a',
    })
    expect(evaluated('api-version', 'beta', '1.20', '1.23').problems).toEqual([])
    expect(evaluated('api-version', 'beta', '1.20', '1.24').problems).toMatchObject([
      { rule: '4a' },
    ])
  })
  it('4b: preferred and stored version move on a release after both are known', () => {
    const { events } = evaluate({
      kind: 'api-version',
      stage: 'beta',
      introduced: '1.20',
      replacement: { stage: 'stable', introduced: '1.25' },
    })
    expect(events.find(({ what }) => what === 'raise')).toMatchObject({
      release: '1.26',
      rule: '4b',
    })
  })
  it('2, 6, 10: conversion without loss, warnings', () => {
    expect(evaluated('api-version', 'beta', '1.20').duties).toEqual(['2'])
    expect(evaluated('user-command', 'beta', '1.20').duties).toEqual(['6'])
    expect(evaluated('feature-gate', 'beta', '1.20').duties).toEqual(['10'])
  })
  it('no element is deprecated before it came', () => {
    expect(evaluated('metric', 'stable', '1.20', '1.19').problems).toHaveLength(1)
  })
  it('each rule applies to some element', () => {
    const reported = new Set(
      Object.values(KINDS).flatMap(({ by, replacement, duties }) => [
        by,
        replacement ?? by,
        ...duties,
      ]),
    )
    const elsewhere = ['4b', '11a']
    expect(new Set([...reported, ...elsewhere])).toEqual(new Set(Object.keys(RULES)))
  })
})

describe('a chart over releases', () => {
  it('states the element of each', () => {
    const verdict = evaluated('metric', 'stable', '1.20', '1.22')
    const states = ['1.19', '1.20', '1.22', '1.24', '1.25'].map((release) =>
      stateIn(verdict, release),
    )
    expect(states).toEqual(['absent', 'there', 'deprecated', 'deprecated', 'removable'])
  })
})

it('no beta version that these releases removed went before the policy allows', () => {
  const removed = Object.entries(LIFECYCLE).flatMap(([apiVersion, kinds]) =>
    Object.entries(kinds).flatMap(([kind, { introduced, deprecated, removed }]) =>
      apiVersion.includes('beta') &&
      deprecated !== undefined &&
      removed !== undefined &&
      compareReleases(removed, RELEASES[0] as string) >= 0
        ? [
            {
              name: `${apiVersion} ${kind}`,
              removed,
              verdict: evaluated('api-version', 'beta', introduced, deprecated),
            },
          ]
        : [],
    ),
  )
  expect(removed.length).toBeGreaterThan(30)
  for (const { name, removed: really, verdict } of removed)
    expect(
      compareReleases(removal(verdict), really),
      `${name} may go in ${removal(verdict)}, went in ${really}`,
    ).toBeLessThanOrEqual(0)
})
