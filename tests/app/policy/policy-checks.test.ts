/** What is wrong with the expressions of a policy, at its place in the YAML. */
import { describe, expect, it } from 'vitest'
import { suggestionsAt } from '../../../src/app/features/policy/completion'
import { checkPolicies, type ServedTypes } from '../../../src/app/features/policy/policy-checks'
import { expressionAt } from '../../../src/app/features/policy/policy-language'
import { benchInputOf } from '../../../src/app/features/policy/policy-to-bench'
import { FIRST_SET } from '../../../src/app/features/policy/workbench-state'
import { parseApiVersion } from '../../../src/engine/core/object'
import { builtinModel } from '../../../src/engine/schema/builtin'

const SERVED: ServedTypes = {
  kindOf: (group, version, resource) =>
    `${group}/${version}/${resource}` === 'apps/v1/deployments' ? 'Deployment' : undefined,
  async typeOf(apiVersion, kind) {
    const { group, version } = parseApiVersion(apiVersion)
    return builtinModel().byKind(group, version, kind)
  },
}

const policy = (validations: string, more = '') => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }
${more}  validations:
${validations}`

/** The words that are marked, with how and why. */
async function marked(text: string): Promise<string[]> {
  const { problems } = await checkPolicies(text, SERVED)
  return problems.map(
    ({ severity, message, start, end }) =>
      `${severity} «${text.slice(start, end)}» ${message.split('\n')[0]}`,
  )
}

it('finds nothing wrong with the example', async () => {
  expect(await marked(FIRST_SET.policies)).toEqual([])
})

describe('marks the word', () => {
  const NO_FIELD = "apps/v1 Deployment: undefined field 'replica'"

  it.each([
    ['plain', '    - expression: object.spec.replica > 1'],
    ['in quotes', `    - expression: "object.metadata.name == \\"a\\" || object.spec.replica > 1"`],
    [
      'in single quotes',
      `    - expression: 'object.metadata.name == ''a'' || object.spec.replica > 1'`,
    ],
    [
      'in a block',
      '    - expression: |\n        object.metadata.name == "a" ||\n          object.spec.replica > 1\n      message: m',
    ],
    [
      'in folded lines',
      '    - expression: >-\n        object.metadata.name == "a" ||\n        object.spec.replica > 1\n',
    ],
  ])('%s', async (_, validation) => {
    const [only, ...others] = await marked(policy(validation))
    expect(others).toEqual([])
    expect(only).toMatch(/^warning «\.?(replica)?»/)
    expect(only?.endsWith(NO_FIELD)).toBe(true)
    const { problems } = await checkPolicies(policy(validation), SERVED)
    const at = policy(validation).indexOf('.replica')
    expect([at, at + 1]).toContain(problems[0]?.start)
  })

  it('of what does not compile', async () => {
    const text = policy("    - expression: object.spec.replicas + 'a' == nothing")
    expect(await marked(text)).toEqual([
      `error «nothing» undeclared reference to 'nothing' (in container '')`,
    ])
  })

  it('of what comes to something else, and of variables and conditions', async () => {
    const more =
      "  variables: [{ name: a, expression: b }]\n  matchConditions: [{ name: c, expression: '1' }]\n"
    const found = await marked(policy("    - { expression: 'true', messageExpression: '1' }", more))
    expect(found).toEqual([
      'error «1» must evaluate to bool',
      `error «b» undeclared reference to 'b' (in container '')`,
      'error «1» must evaluate to string',
    ])
  })
})

it('knows the kinds that definitions of the same text make', async () => {
  const definition = `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: shelves.example.com }
spec:
  group: example.com
  names: { plural: shelves, kind: Shelf }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer } } } } }
`
  const text =
    policy('    - expression: object.sise > 1')
      .replace('apps', 'example.com')
      .replace('deployments', 'shelves') + definition
  expect(await marked(text)).toEqual([
    expect.stringContaining("example.com/v1 Shelf: undefined field 'sise'"),
  ])
})

it('completes an expression in the YAML, also while it is incomplete', async () => {
  const { expressions } = await checkPolicies(
    policy('    - expression: object.spec.replicas > 1'),
    SERVED,
  )
  for (const [typed, name] of [
    ['object.spec.rep', 'replicas'],
    ['object.spec.', 'replicas'],
    ['object.metadata.name.sta', 'startsWith'],
  ] as const) {
    const text = policy(`    - expression: ${typed}\n`)
    const here = expressionAt(text, text.indexOf(typed) + typed.length, expressions)
    const names =
      here &&
      suggestionsAt(here.expression, here.at, here.environment).map((suggestion) => suggestion.name)
    expect(names).toContain(name)
  }
  const text = policy('    - expression: object.spec.replicas > 1')
  expect(expressionAt(text, text.indexOf('metadata'), expressions)).toBeUndefined()
})

describe('an expression goes to the bench', () => {
  it('with its variables, its parameter and the first test object', async () => {
    const { expressions } = await checkPolicies(FIRST_SET.policies, SERVED)
    const cursor = FIRST_SET.policies.indexOf('c.image')
    const input = benchInputOf(FIRST_SET, cursor, expressions)
    expect(input).toMatchObject({
      place: 'validation',
      expression: expect.stringMatching(/^object[\s\S]*latest'\)\)$/),
    })
    expect(input?.params).toContain('most: "4"')
    expect(input?.variables).toContain('int(params.data.most)')
    expect(input?.object).toContain('replicas: 2')
  })

  it('the first validation, if the cursor is in none; a variable with those before it', async () => {
    const { expressions } = await checkPolicies(FIRST_SET.policies, SERVED)
    expect(benchInputOf(FIRST_SET, 0, expressions)?.expression).toBe(
      'object.spec.replicas <= variables.most',
    )
    const variable = benchInputOf(FIRST_SET, FIRST_SET.policies.indexOf('int('), expressions)
    expect(variable).toMatchObject({ place: 'variable', variables: '' })
    expect(benchInputOf(FIRST_SET, 0, [])).toBeUndefined()
  })
})
