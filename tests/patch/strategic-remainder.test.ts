/** The part of a strategic merge patch that errors show. Recorded from kube-apiserver 1.31. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { strategicRemainder } from '../../src/engine/patch/strategic-remainder'
import { builtinModel } from '../../src/engine/schema/builtin'

const POD = builtinModel().byKind('', 'v1', 'Pod')
const a = { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }
const TARGET: JsonObject = {
  metadata: { labels: { l: '1' } },
  spec: { containers: [a], volumes: [{ name: 'v', emptyDir: {} }] },
}

it.each<[what: string, patch: JsonObject, left: JsonObject]>([
  [
    'a list and its order are merged and gone',
    {
      '$setElementOrder/containers': [{ name: 'a' }],
      containers: [{ name: 'a', imag: 'x' }],
      hostnam: 'h',
    },
    { hostnam: 'h' },
  ],
  [
    'so inside items',
    { containers: [{ name: 'a', '$setElementOrder/env': [{ name: 'X' }], imag: 'x' }] },
    { containers: [{ name: 'a', imag: 'x' }] },
  ],
  [
    'an item that is new stays as it is',
    { containers: [{ name: 'b', imag: null }] },
    { containers: [{ name: 'b', imag: null }] },
  ],
  [
    'the directive $retainKeys',
    { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: {} }] },
    { volumes: [{ name: 'v', hostPath: {} }] },
  ],
  [
    'nulls of what only the patch has',
    { affinity: { podAffinity: null, x: [{ y: null }, null] } },
    { affinity: { x: [{}, null] } },
  ],
  [
    'items with a directive stay',
    { containers: [{ $patch: 'delete', name: 'a' }] },
    { containers: [{ $patch: 'delete', name: 'a' }] },
  ],
])('%s', (_what, spec, left) => {
  expect(strategicRemainder(TARGET, { spec }, POD)).toEqual({ spec: left })
})

it('keeps nulls that removed a field', () => {
  const patch = { metadata: { labels: { l: null } } }
  expect(strategicRemainder(TARGET, patch, POD)).toEqual(patch)
})

it('drops nulls and directives of a value that replaces another type', () => {
  const patch = { metadata: { labels: [{ l: null, m: { $patch: 'merge' } }] } }
  expect(strategicRemainder(TARGET, patch, POD)).toEqual({ metadata: { labels: [{}] } })
})

it('drops the replace directive, and keeps the delete directive', () => {
  expect(strategicRemainder(TARGET, { metadata: { $patch: 'replace', nam: 'x' } }, POD)).toEqual({
    metadata: { nam: 'x' },
  })
  expect(strategicRemainder(TARGET, { metadata: { $patch: 'delete' } }, POD)).toEqual({
    metadata: { $patch: 'delete' },
  })
})
