/** Policy test sets: how they are read, run and reported. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { readTestSet } from '../../src/policy-test/documents'
import { report, succeeded } from '../../src/policy-test/report'
import { runTestSet } from '../../src/policy-test/run'
import type { CaseResult } from '../../src/policy-test/types'

vi.setConfig({ testTimeout: 60_000 })

function run(text: string): Promise<CaseResult[]> {
  const log = {
    error: (message: string, cause: unknown) => {
      throw new Error(message, { cause })
    },
  }
  return runTestSet(readTestSet([{ name: 'set.yaml', text }]), {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log,
  })
}

const policy = (
  expression: string,
  { actions = '[Deny]', more = '', resources = '[configmaps]' } = {},
) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE, DELETE], resources: ${resources} }
  validations:
  - expression: ${JSON.stringify(expression)}
    message: custom message
${more}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: ${actions} }
---
`

const tests = (...cases: string[]) => `
apiVersion: kubetab/v1
kind: PolicyTest
metadata: { name: t }
cases:
${cases.map((text) => `- ${text}`).join('\n')}
`

const map = (data: string, name = 'a') =>
  `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: ${data} }`
const outcomes = (results: readonly CaseResult[]) =>
  results.map(({ outcome, problems }) => [outcome, ...problems])

describe('a policy test', () => {
  it('that is kept as an example holds', async () => {
    const results = await run(readFileSync('examples/policies/replica-limits.yaml', 'utf8'))
    expect(outcomes(results)).toEqual(results.map(() => ['passed']))
    expect(results).toHaveLength(5)
  })

  it('reports what came out otherwise than expected', async () => {
    const results = await run(
      policy("object.data.k == 'v'") +
        tests(
          `{ object: ${map('{ k: w }')}, expect: { allowed: true } }`,
          `{ object: ${map('{ k: v }')}, expect: { allowed: false } }`,
          `{ object: ${map('{ k: w }')}, expect: { message: something else, code: 403, reason: Forbidden, validations: [] } }`,
          `{ object: ${map('{ k: v }')}, expect: { validations: [{ policy: p, index: 0 }], warnings: [careful] } }`,
        ),
    )
    const denied =
      "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: custom message"
    expect(outcomes(results)).toEqual([
      ['failed', `expected to be allowed, but rejected with 422: ${denied}`],
      ['failed', 'expected to be rejected, but allowed'],
      [
        'failed',
        `expected "something else" in ${JSON.stringify(denied)}`,
        'expected code 403, but it is 422',
        'expected reason Forbidden, but it is Invalid',
        'did not expect to fail: policy p, binding b, index 0',
      ],
      ['failed', 'expected a warning with "careful"', 'expected to fail: policy p, index 0'],
    ])
    expect(succeeded(results)).toBe(false)
  })

  it('reports the result and the cost of each validation', async () => {
    const more =
      '  - expression: "object.data.missing == \'x\'"\n  - expression: "has(object.data)"'
    const [result] = await run(
      policy("object.data.k == 'v'", { more }) + tests(`{ object: ${map('{ k: w }')} }`),
    )
    expect(result?.outcome).toBe('shown')
    expect(result?.response?.findings).toMatchObject([
      {
        policy: 'p',
        binding: 'b',
        actions: ['Deny'],
        outcome: 'evaluated',
        validations: [
          { index: 0, outcome: 'fails', message: 'custom message', cost: 4 },
          {
            index: 1,
            outcome: 'unknown',
            message: expect.stringContaining('no such key: missing'),
          },
          { index: 2, outcome: 'holds', cost: 1 },
        ],
      },
    ])
  })

  it('sends requests as the named user, about existing objects', async () => {
    const results = await run(
      policy("request.operation != 'DELETE' || request.userInfo.username == 'alice'", {
        actions: '[Deny]',
      }) +
        `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: all }
rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: all }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: all }
subjects: [{ kind: Group, apiGroup: rbac.authorization.k8s.io, name: people }]
---
` +
        tests(
          `{ operation: DELETE, user: { name: alice, groups: [people] }, oldObject: ${map('{ k: v }')}, expect: { allowed: true } }`,
          `{ operation: DELETE, user: { name: bob, groups: [people] }, oldObject: ${map('{ k: v }')}, expect: { allowed: false } }`,
          `{ operation: DELETE, user: { name: eve }, oldObject: ${map('{ k: v }')}, expect: { code: 403, message: cannot delete } }`,
        ),
    )
    expect(outcomes(results)).toEqual([['passed'], ['passed'], ['passed']])
  })

  it('takes what is there before although the policy would reject it, each case by itself', async () => {
    const results = await run(
      policy("object.data.k == '1' || oldObject != null && oldObject.data.k == '0'") +
        tests(
          `{ oldObject: ${map('{ k: "0" }')}, object: ${map('{ k: "5" }')}, expect: { allowed: true } }`,
          `{ oldObject: ${map('{ k: "7" }')}, object: ${map('{ k: "5" }')}, expect: { allowed: false } }`,
          `{ object: ${map('{ k: "1" }')}, expect: { allowed: true } }`,
        ),
    )
    expect(outcomes(results)).toEqual([['passed'], ['passed'], ['passed']])
  })

  it('reads sets as the server reads manifests: what YAML 1.1 takes for a boolean is none of the letters', async () => {
    const letters = tests(`{ object: ${map('{ n: a, "n": b }')}, expect: { allowed: true } }`)
    expect(
      outcomes(await run(policy("object.data == {'false': 'a', 'n': 'b'}") + letters)),
    ).toEqual([['passed']])
  })

  it('hears warnings and audit annotations', async () => {
    const more = '  auditAnnotations: [{ key: k, valueExpression: "string(object.data.k)" }]'
    const results = await run(
      policy("object.data.k == 'v'", { actions: '[Warn]', more }) +
        tests(
          `{ object: ${map('{ k: w }')}, expect: { allowed: true, warnings: [custom message], auditAnnotations: { p/k: w } } }`,
          `{ object: ${map('{ k: v }')}, expect: { warnings: [], auditAnnotations: { p/k: x } } }`,
        ),
    )
    expect(outcomes(results)).toEqual([
      ['passed'],
      ['failed', 'expected the audit annotation p/k to be "x", but it is "v"'],
    ])
  })

  it('tries the rules of custom resources', async () => {
    const results = await run(
      `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boxes.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: boxes, kind: Box }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: { size: { type: integer } }
            x-kubernetes-validations:
            - { rule: self.size < 10, message: too large, fieldPath: .size }
---
` +
        tests(
          '{ object: { apiVersion: example.com/v1, kind: Box, metadata: { name: a }, spec: { size: 3 } }, expect: { allowed: true } }',
          '{ object: { apiVersion: example.com/v1, kind: Box, metadata: { name: b, namespace: other }, spec: { size: 30 } }, expect: { allowed: false, causes: [{ field: spec.size, message: too large }] } }',
        ),
    )
    expect(outcomes(results)).toEqual([['passed'], ['passed']])
  })

  it('is broken where the request cannot be made', async () => {
    const results = await run(
      tests(
        '{ object: { apiVersion: v1, kind: Nothing, metadata: { name: a } } }',
        `{ oldObject: ${map('{ k: 1 }')}, object: ${map('{ k: v }')} }`,
      ),
    )
    expect(outcomes(results)).toEqual([
      ['broken', 'Nothing of v1 is not served'],
      [
        'broken',
        expect.stringContaining('what is there before cannot be made: ConfigMap a is rejected'),
      ],
    ])
  })
})

describe('a set that is none', () => {
  it.each([
    ['kind: PolicyTest', 'set.yaml, document 1: apiVersion and kind are expected'],
    [
      'apiVersion: kubetab/v2\nkind: PolicyTest',
      'set.yaml, document 1: PolicyTest is known in version kubetab/v1 only',
    ],
    [tests('{ objects: {} }'), 'set.yaml, document 1, cases[0], objects: unknown; known are'],
    [tests('{ object: 1 }'), 'set.yaml, document 1, cases[0], object: an object is expected'],
    [
      tests('{ objectRef: { kind: Pod, name: x } }'),
      'set.yaml, document 1, cases[0], objectRef: there is no Pod x in the set',
    ],
    [
      tests('{ operation: PATCH, object: {} }'),
      'operation: one of CREATE, UPDATE, DELETE is expected',
    ],
    [
      tests('{ object: {}, expect: { allowed: maybe } }'),
      'cases[0], expect, allowed: true or false is expected',
    ],
    ['a: [', 'set.yaml, document 1: '],
  ])('reports what is wrong with it: %s', (text, message) => {
    expect(() => readTestSet([{ name: 'set.yaml', text }])).toThrow(message)
  })

  it('reports which policy is rejected', async () => {
    await expect(run(policy('object.'))).rejects.toThrow('ValidatingAdmissionPolicy p is rejected')
  })
})

it('results are a table', async () => {
  const results = await run(
    policy("object.data.k == 'v'") +
      tests(
        `{ name: right, object: ${map('{ k: v }')}, expect: { allowed: true } }`,
        `{ name: wrong, object: ${map('{ k: w }')}, expect: { code: 403 } }`,
      ),
  )
  expect(report(results)).toBe(
    [
      't',
      '  ok      right  CREATE configmaps default/a  allowed',
      '  FAILED  wrong  CREATE configmaps default/a  rejected (422) p[0]',
      '      expected code 403, but it is 422',
      '',
      '1 passed, 1 failed',
    ].join('\n'),
  )
})
