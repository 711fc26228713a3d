/** What is offered while an expression is typed. `|` marks the cursor. */
import { expect, it } from 'vitest'
import { suggestionsAt } from '../../../src/app/features/policy/completion'
import { serverEnvironment } from '../../../src/engine/cel/server-environment'
import { DYN, INT, listOf, mapOf, object, STRING } from '../../../src/engine/cel/types/type'

const container = object('Container', new Map([['image', STRING], ['args', listOf(STRING)]])) // biome-ignore format: short
const spec = object('Spec', new Map([['replicas', INT], ['containers', listOf(container)]])) // biome-ignore format: short
const environment = serverEnvironment(
  {
    object: object('Object', new Map([['spec', spec]])),
    params: DYN,
    labels: mapOf(STRING, STRING),
  },
  { use: 'new', strictCost: false },
)

function offered(text: string, keysOf?: (expression: string) => string[]): string[] {
  const offset = text.indexOf('|')
  return suggestionsAt(text.replace('|', ''), offset, environment, keysOf).map(({ name }) => name)
}

it('offers variables, functions and words where something begins', () => {
  for (const text of ['|', 'obj|', 'object.spec.replicas > |', '[1, |', 'size(|', "'a' in |"]) {
    expect(offered(text)).toEqual(
      expect.arrayContaining(['object', 'params', 'quantity', 'has', 'true']),
    )
  }
  expect(offered('|')).not.toContain('startsWith')
})

it('offers the fields of what is before the dot', () => {
  expect(offered('object.|')).toEqual(['spec'])
  expect(offered('object.sp|')).toEqual(['spec'])
  expect(offered('size(object.spec.containers[0].args) > 1 && object.spec.|')).toEqual([
    'replicas',
    'containers',
  ])
  expect(offered('object.?spec.|')).toEqual(
    expect.arrayContaining(['replicas', 'orValue', 'optMap']),
  )
  expect(offered('object\n  .spec\n  .|')).toEqual(['replicas', 'containers'])
})

it('offers the functions that take what is before the dot', () => {
  const texts = offered('object.spec.containers[0].image.|')
  expect(texts).toEqual(expect.arrayContaining(['startsWith', 'matches', 'split']))
  expect(texts).not.toContain('isSorted')
  expect(offered("'a,b'.split(',').|")).toEqual(
    expect.arrayContaining(['join', 'isSorted', 'all', 'map']),
  )
  expect(offered('object.spec.replicas.|')).not.toContain('startsWith')
})

it('knows the variables of the loops around the cursor', () => {
  expect(offered('object.spec.containers.all(c, |')).toContain('c')
  expect(offered('object.spec.containers.all(c, c.|')).toEqual(['image', 'args'])
  expect(offered('object.spec.containers.exists(c, c.args.all(a, a.|')).toContain('startsWith')
  expect(offered('labels.all(key, key.|')).toContain('startsWith')
  expect(offered('object.spec.containers.all(c, true) && |')).not.toContain('c')
})

it('offers the members of a value if its type is unknown', () => {
  const keysOf = (expression: string) => (expression === 'params' ? ['max', 'not-a-name'] : [])
  const names = offered('params.|', keysOf)
  expect(names).toContain('max')
  expect(names).not.toContain('not-a-name')
})

it('offers nothing inside of texts and numbers, and nothing where the part before is wrong', () => {
  expect(offered("object.spec == 'obj|")).toEqual([])
  expect(offered('1.|')).toEqual([])
  expect(offered('nothing.|')).toEqual([])
  expect(offered(') .|')).toEqual([])
})
