/** A policy and its tests: two texts in the page, one file elsewhere; and what came out, as a table. */

import { describe, expect, it } from 'vitest'
import { matchedResources } from '../../../src/app/features/policy/audit-scope'
import { cellOf, columnsOf, totalCost } from '../../../src/app/features/policy/findings-table'
import { joined, parted, validationsIn, withCase } from '../../../src/app/features/policy/test-sets'
import { FIRST_SET } from '../../../src/app/features/policy/workbench-state'
import type { ServedResource } from '../../../src/app/state/discovery'
import { SimulatedClock, seededRandom } from '../../../src/engine/core/environment'
import { readTestSet } from '../../../src/policy-test/documents'
import { runTestSet } from '../../../src/policy-test/run'
import { kubeObject } from '../../support/json-objects'

const run = (text: string) =>
  runTestSet(readTestSet([{ name: 'set', text }]), {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (message) => expect.fail(message) },
  })

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'

it('the example matches its description, as one file', async () => {
  const results = await run(joined(FIRST_SET))
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
})

describe('a file', () => {
  it('is taken apart, and put together again', () => {
    expect(joined(parted(joined(FIRST_SET)))).toBe(joined(FIRST_SET))
    expect(parted(joined(FIRST_SET))).toEqual(FIRST_SET)
  })

  it('keeps the objects of tests with the tests', () => {
    const test =
      'apiVersion: kubetab/v1\nkind: PolicyTest\ncases:\n- objectRef: { kind: ConfigMap, name: a }\n'
    const other = MAP.replace('name: a', 'name: b')
    expect(parted(`${MAP}---\n${other}---\n${test}`)).toEqual({
      policies: other,
      tests: `${MAP}---\n${test}`,
    })
  })

  it('gets one more case for an object', async () => {
    for (const tests of [FIRST_SET.tests, '', MAP]) {
      const results = await run(joined({ policies: '', tests: withCase(tests, 'a: "b"', MAP) }))
      expect(results.at(-1)).toMatchObject({
        name: 'a: "b"',
        outcome: 'shown',
        request: 'CREATE configmaps default/a',
      })
    }
  })
})

it('lists the expressions of validations by policy', () => {
  const found = validationsIn(FIRST_SET.policies)
  expect([...found.keys()]).toEqual(['replica-limits'])
  expect(found.get('replica-limits')?.[0]).toBe('object.spec.replicas <= variables.most')
  expect(validationsIn(FIRST_SET.tests).size).toBe(0)
})

describe('the table', () => {
  it('has a column for each validation, and in each cell outcome, message and cost', async () => {
    const results = await run(joined(FIRST_SET))
    const findings = results.map(({ response }) => response?.findings ?? [])
    const columns = columnsOf(findings)
    expect(columns).toEqual([{ policy: 'replica-limits', index: 0 }, { policy: 'replica-limits', index: 1 }]) // biome-ignore format: short
    const [good, bad] = findings.map((row) => columns.map((column) => cellOf(row, column)))
    expect(good?.map(({ outcome }) => outcome)).toEqual(['holds', 'holds'])
    expect(bad).toEqual([
      { outcome: 'fails', cost: expect.any(Number), messages: ['at most 4 replicas'] },
      { outcome: 'fails', cost: expect.any(Number), messages: ['images have a version'] },
    ])
    expect(totalCost(findings[1] ?? [])).toBe((bad ?? []).reduce((sum, { cost }) => sum + cost, 0))
  })

  it('shows the worst of several verdicts, and all their costs', () => {
    const finding = (outcome: 'holds' | 'fails', cost: number, message?: string) => ({
      policy: 'p', binding: 'b', actions: [], outcome: 'evaluated' as const, auditAnnotations: [],
      validations: [{ index: 0, outcome, cost, ...(message ? { message } : {}) }],
    }) // biome-ignore format: short
    const cell = cellOf([finding('holds', 1), finding('fails', 2, 'no'), finding('holds', 3)], {
      policy: 'p',
      index: 0,
    })
    expect(cell).toEqual({ outcome: 'fails', cost: 6, messages: ['no'] })
    expect(cellOf([], { policy: 'p', index: 0 }).outcome).toBe('absent')
  })
})

it('an audit covers every writable resource that a policy matches', () => {
  const served = (group: string, resource: string, verbs = ['list', 'update']): ServedResource => ({
    group, version: 'v1', resource, kind: resource, namespaced: true, verbs, shortNames: [], subresources: [],
  }) // biome-ignore format: short
  const all = [
    served('apps', 'deployments'),
    served('apps', 'statefulsets'),
    served('', 'pods'),
    served('', 'bindings', ['create']),
  ]
  const policy = (rule: object) =>
    kubeObject({
      spec: { matchConstraints: { resourceRules: [{ apiVersions: ['v1'], ...rule }] } },
    })
  const named = (rule: object) =>
    matchedResources([policy(rule)], all).map(({ resource }) => resource)
  expect(named({ apiGroups: ['apps'], resources: ['deployments'] })).toEqual(['deployments'])
  expect(named({ apiGroups: ['apps'], resources: ['*'] })).toEqual(['deployments', 'statefulsets'])
  expect(named({ apiGroups: ['*'], resources: ['*/*'] })).toEqual([
    'deployments',
    'statefulsets',
    'pods',
  ])
  expect(named({ apiGroups: [''], resources: ['pods/status'] })).toEqual([])
})
