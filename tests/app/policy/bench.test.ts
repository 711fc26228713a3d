/** The bench: texts in, result, costs, issues and types out. */
import { describe, expect, it } from 'vitest'
import { type BenchHelp, runBench } from '../../../src/app/features/policy/bench'
import { type BenchInput, SAMPLE } from '../../../src/app/features/policy/bench-state'
import { requestFor } from '../../../src/app/features/policy/request'
import { valuesText, valueText } from '../../../src/app/features/policy/value-text'
import { typeOf } from '../../../src/engine/inspection/types'
import { builtinModel } from '../../../src/engine/schema/builtin'

const queries: unknown[] = []
const HELP: BenchHelp = {
  async authorize(query, { userInfo }) {
    queries.push({ ...query, userInfo })
    return { allowed: query.verb === 'get', reason: 'so it is' }
  },
  async typeOf(apiVersion, kind) {
    const [group = '', version = ''] = apiVersion.split('/')
    const type = builtinModel().byKind(group, version, kind)
    return type && typeOf(type)
  },
  requestOf: (object, oldObject) =>
    requestFor(object, oldObject, 'deployments', { name: 'alice', groups: ['developers'] }),
}

const run = (change: Partial<BenchInput>) => runBench({ ...SAMPLE, ...change }, HELP)

describe('an expression of a policy', () => {
  it('can use the object, the parameter and the variables; variables have a cost of their own', async () => {
    const { outcome, type, issues, problems } = await run({})
    expect([outcome?.value, type, issues, problems]).toEqual([true, 'bool', [], {}])
    expect(outcome?.cost).toBe(outcome?.parts.reduce((sum, { ownCost }) => sum + ownCost, 0))
    expect(outcome?.variableCost).toBeGreaterThan(0)
  })

  it('sees a request that follows from the object, and what is typed over it', async () => {
    const expression =
      "request.operation == 'CREATE' && request.userInfo.username == 'alice' && request.dryRun"
    expect((await run({ expression, request: 'dryRun: true' })).outcome?.value).toBe(true)
    const update = await run({
      expression: 'request.operation',
      place: 'variable',
      oldObject: SAMPLE.object,
    })
    expect(update.outcome?.value).toBe('UPDATE')
    const removal = await run({
      expression: 'request.operation + request.name',
      place: 'variable',
      object: '',
      oldObject: SAMPLE.object,
    })
    expect(removal.outcome?.value).toBe('DELETEweb')
  })

  it('gets decisions from the authorizer that it is given', async () => {
    const get =
      "authorizer.group('apps').resource('deployments').namespace('x').check('get').allowed()"
    const expression = `${get} && !authorizer.requestResource.check('delete').allowed()`
    expect((await run({ expression })).outcome?.value).toBe(true)
    const userInfo = { username: 'alice', groups: ['developers'] }
    const query = { verb: 'delete', resource: 'deployments', namespace: 'default', name: 'web' }
    expect(queries).toContainEqual(expect.objectContaining({ ...query, userInfo }))
  })

  it('must come to what its place wants', async () => {
    expect((await run({ expression: '1 + 1' })).message).toBe('must evaluate to bool')
    expect((await run({ expression: '1 + 1', place: 'variable' })).message).toBeUndefined()
    expect((await run({ expression: 'authorizer == null', place: 'message' })).message).toContain(
      "undeclared reference to 'authorizer'",
    )
  })

  it('is warned by the types of the kind, and works all the same', async () => {
    const { message, warnings, outcome } = await run({
      expression: 'object.spec.replicas > 1 && !has(object.spec.replica)',
    })
    expect([message, outcome?.value]).toEqual([undefined, true])
    expect(warnings.map((warning) => warning.message)).toEqual(["undefined field 'replica'"])
  })

  it('reports errors in the other inputs', async () => {
    const { problems } = await run({
      object: 'a: [',
      params: '- 1\n',
      variables: '- name: most\n  expression: nothing\n',
    })
    expect(problems.object).toBeTypeOf('string')
    expect(problems.variables).toContain('undeclared reference')
    expect((await run({ variables: 'a: 1' })).problems.variables).toBe(
      'not a list of names and expressions',
    )
  })

  it('knows what a part of the text has for members', async () => {
    const { keysOf } = await run({})
    expect(keysOf('object.metadata')).toEqual(['name', 'namespace'])
    expect(keysOf('object.spec.replicas')).toEqual([])
    expect(keysOf('nothing')).toEqual([])
  })
})

describe('a rule of a custom resource', () => {
  const rule = (change: Partial<BenchInput>) =>
    run({ place: 'rule', object: 'spec: { names: [a, b] }', isRoot: true, ...change })

  it('can use self, and is estimated by the limits of the schema', async () => {
    const { outcome, estimate } = await rule({
      expression: "self.spec.names.all(n, n.startsWith('a') || n == 'b')",
    })
    expect(outcome?.value).toBe(true)
    expect(estimate?.inObject).toBe(estimate?.once.max)
    const often = await rule({ expression: "self.spec.names.all(n, n.startsWith('a'))", count: 10 })
    expect(often.estimate?.inObject).toBe((often.estimate?.once.max ?? 0) * 10)
  })

  it('compares with what was there before', async () => {
    const expression = 'self.spec.names.size() >= oldSelf.spec.names.size()'
    expect((await rule({ expression, oldObject: 'spec: { names: [a] }' })).outcome?.value).toBe(
      true,
    )
  })
})

it('writes values as the language does', async () => {
  const text = async (expression: string) =>
    valueText((await run({ expression, place: 'variable' })).outcome?.value ?? null)
  expect(await text('1')).toBe('1')
  expect(await text('1.0')).toBe('1.0')
  expect(await text('2u')).toBe('2u')
  expect(await text("'a\"b'")).toBe('"a\\"b"')
  expect(await text("{'a': [1, 2], 'b': []}")).toBe('{"a": [1, 2], "b": []}')
  expect(await text("duration('90s')")).toBe('duration("90s")')
  expect(await text('type(1)')).toBe('int')
  expect(await text('optional.none()')).toBe('optional.none()')
  const { outcome } = await run({ expression: '[1, 2, 3].map(x, x * 2)', place: 'variable' })
  expect(outcome?.parts.map((part) => valuesText(part))).toContain('2 · 4 · 6')
})
