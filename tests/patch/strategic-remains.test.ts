/** What errors show of a strategic merge patch: what is left of it once its directives have been followed (recorded). */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { remainsOf } from '../../src/engine/patch/strategic-remains'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'

const POD = builtinModel().byKind('', 'v1', 'Pod') as StructType
const live = {
  metadata: { labels: { a: 'b' }, finalizers: ['x'] },
  spec: { containers: [{ name: 'web', env: [{ name: 'A', value: '1' }] }], hostname: 'h' },
}

it.each<[string, JsonObject, JsonObject]>([
  ['a replace', { spec: { $patch: 'replace', hostname: 'g' } }, { spec: { hostname: 'g' } }],
  ['a delete stays', { spec: { $patch: 'delete', hostname: 'g' } }, { spec: { $patch: 'delete', hostname: 'g' } }],
  ['the keys to retain', { spec: { $retainKeys: ['hostname'], hostname: 'g' } }, { spec: { hostname: 'g' } }],
  ['an order, and the list with it', { metadata: { '$setElementOrder/finalizers': ['y'], finalizers: ['y'] } }, { metadata: {} }],
  [
    'in items that are merged',
    {
      spec: {
        containers: [
          { name: 'web', $retainKeys: ['name'] },
          { name: 'new', $retainKeys: ['name'] },
        ],
      },
    },
    { spec: { containers: [{ name: 'web' }, { name: 'new', $retainKeys: ['name'] }] } },
  ],
  [
    'nulls of what is new, not those of what is there',
    { metadata: { labels: { c: null }, annotations: { c: null, d: 'e' } } },
    { metadata: { labels: { c: null }, annotations: { d: 'e' } } },
  ],
  [
    'nulls of what is not retained',
    { metadata: { $retainKeys: ['finalizers', 'labels'], labels: { c: null } } },
    { metadata: { labels: { c: null } } },
  ],
])('%s', (_what, patch, remains) => {
  expect(remainsOf(live, patch, POD)).toEqual(remains)
})
