/** Expressions of policies, tried with values before any policy is there. */
import { describe, expect, it } from 'vitest'
import {
  inspectPolicyExpression,
  type PolicyPlace,
} from '../../src/engine/inspection/policy-expression'

const validation: PolicyPlace = { wanted: 'bool', params: true, authorizer: true, use: 'new' }

describe('an expression of a policy', () => {
  it('sees the objects, the request, parameters and the namespace', async () => {
    const text =
      "object.spec.replicas <= params.max && request.operation == 'CREATE' && namespaceObject.metadata.name == 'a' && oldObject == null"
    const { evaluate, issues } = inspectPolicyExpression(text, validation)
    expect(issues).toEqual([])
    const outcome = await evaluate({
      object: { spec: { replicas: 3 } },
      params: { max: 3 },
      request: { operation: 'CREATE' },
      namespaceObject: { metadata: { name: 'a' } },
    })
    expect(outcome).toMatchObject({ value: true, variableCost: 0 })
  })

  it('uses variables, and counts their steps separately and once', async () => {
    const variables = [
      { name: 'limit', expression: 'params.max' },
      { name: 'twice', expression: 'variables.limit * 2' },
    ]
    const { evaluate, parts } = inspectPolicyExpression(
      'variables.twice > 4 && variables.twice < 100',
      { ...validation, variables },
    )
    expect(parts.find(({ text }) => text === 'variables.twice')?.typeText).toBe('int')
    // Once `variables.limit * 2` with three steps, once `params.max` with two.
    expect(await evaluate({ params: { max: 3 } })).toMatchObject({
      value: true,
      cost: 6,
      variableCost: 5,
    })
  })

  it('reports the variables that are wrong', () => {
    const { variableProblems } = inspectPolicyExpression('true', {
      ...validation,
      variables: [{ name: 'bad', expression: 'nothing' }],
    })
    expect([...variableProblems.keys()]).toEqual(['bad'])
  })

  it('queries the authorizer for the permissions that it needs', async () => {
    const requested: unknown[] = []
    const text =
      "authorizer.group('apps').resource('deployments').check('delete').allowed() || authorizer.requestResource.check('x').allowed()"
    const { evaluate } = inspectPolicyExpression(text, validation)
    const { value } = await evaluate({
      request: { resource: { group: 'g', resource: 'r' }, namespace: 'n' },
      authorize: async (query) => {
        requested.push(query)
        return { allowed: query.verb === 'x', reason: '' }
      },
    })
    expect(value).toBe(true)
    expect(requested).toMatchObject([
      { group: 'apps', resource: 'deployments', verb: 'delete' },
      { group: 'g', resource: 'r', namespace: 'n', verb: 'x' },
    ])
  })

  it.each([
    ['object.spec.replicas + 1', 'must evaluate to bool'],
    ['params == 1', "undeclared reference to 'params' (in container '')"],
    ['format.dns1123Label().hasValue()', "undeclared reference to 'format' (in container '')"],
  ])('is rejected with a reason: %s', (text, message) => {
    const { issues, program } = inspectPolicyExpression(text, { ...validation, params: false })
    expect(issues.map((issue) => issue.message)).toContain(message)
    if (message.startsWith('undeclared')) expect(program).toBeUndefined()
  })

  it('is given up when it takes more steps than it may', async () => {
    const { evaluate } = inspectPolicyExpression(
      'object.all(a, object.all(b, object.all(c, a + b != c)))',
      validation,
    )
    const outcome = await evaluate({
      object: Array.from({ length: 200 }, (_, index) => `item ${index}`),
    })
    expect(outcome).toMatchObject({
      exceeded: true,
      value: undefined,
      error: 'operation cancelled: actual cost limit exceeded',
    })
  })
})
