import { expect, it } from 'vitest'
import {
  chartedReleases,
  POLICY_RELEASES,
} from '../../../src/app/features/releases/policy-releases'
import { evaluate } from '../../../src/engine/releases/deprecation-policy'

it('the releases to choose from are in order, each once', () => {
  const minors = POLICY_RELEASES.map((release) => Number(release.split('.')[1]))
  expect(minors).toEqual(minors.map((_, index) => index))
})

it('the chart reaches from before the introduction until after the last event', () => {
  const element = { kind: 'api-version', stage: 'beta', introduced: '1.20', deprecated: '1.21' }
  const verdict = evaluate(element as Parameters<typeof evaluate>[0])
  const shown = chartedReleases({ introduced: '1.20' }, verdict)
  const last = verdict.events.map(({ release }) => Number(release.split('.')[1]))
  expect(shown[0]).toBe('1.19')
  expect(shown.at(-1)).toBe(`1.${Math.max(20, ...last) + 1}`)
})

it('an element without events is shown with its neighbors', () => {
  expect(chartedReleases({ introduced: '1.20' }, { events: [] })).toEqual(['1.19', '1.20', '1.21'])
})
