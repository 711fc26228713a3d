/** A fresh server stores its own objects without bringing them into form: they are compiled in the form of the store. */
import { expect, it } from 'vitest'
import { BOOTSTRAP_OBJECTS, MOMENT } from '../../src/engine/facts/bootstrap-objects'
import { type KubeObject, parseApiVersion } from '../../src/engine/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize } from '../../src/engine/schema/canonical'

const objects = (JSON.parse(BOOTSTRAP_OBJECTS) as { path: string; object: KubeObject }[]).map(({ object }) => object)

it('are many, and each once', () => {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)
  expect(names).toContain('Namespace /default')
  expect(names).toContain('ClusterRole /cluster-admin')
  expect(new Set(names).size).toBe(names.length)
})

it.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))('%s is canonical', (_name, object) => {
  const { group, version } = parseApiVersion(object.apiVersion)
  const type = builtinModel().byKind(group, version, object.kind)
  if (type === undefined) throw new Error(`no type for ${object.apiVersion} ${object.kind}`)
  expect(JSON.stringify(canonicalize(type, object, 'stored'))).toBe(JSON.stringify(object))
})

it('have no identity, revision or time of their own', () => {
  for (const { metadata } of objects) {
    expect(metadata).toMatchObject({ uid: '-', resourceVersion: '0', creationTimestamp: MOMENT })
  }
  const moments = BOOTSTRAP_OBJECTS.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g)
  expect(new Set(moments)).toEqual(new Set([MOMENT]))
})
