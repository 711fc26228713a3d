/**
 * Bootstrap objects are compiled in stored form: a fresh server stores them without converting
 * them.
 */
import { expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type KubeObject, parseApiVersion } from '../../src/engine/core/object'
import {
  BOOTSTRAP_OBJECTS,
  MICRO_MOMENT,
  MOMENT,
} from '../../src/engine/generated/bootstrap-objects'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize } from '../../src/engine/schema/canonical'
import { sendRequest, testServer } from '../support/server'

const objects = (JSON.parse(BOOTSTRAP_OBJECTS) as { path: string; object: KubeObject }[]).map(
  ({ object }) => object,
)

it('are many, each of them once', () => {
  const names = objects.map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
  )
  expect(names).toContain('Namespace /default')
  expect(names).toContain('ClusterRole /cluster-admin')
  expect(new Set(names).size).toBe(names.length)
})

it.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
  '%s is canonical',
  (_name, object) => {
    const { group, version } = parseApiVersion(object.apiVersion)
    const type = builtinModel().byKind(group, version, object.kind)
    if (type === undefined) throw new Error(`no type for ${object.apiVersion} ${object.kind}`)
    expect(JSON.stringify(canonicalize(type, object, 'stored'))).toBe(JSON.stringify(object))
  },
)

it('have no uid, resourceVersion or timestamp', () => {
  for (const { metadata } of objects) {
    expect(metadata).toMatchObject({ uid: '-', resourceVersion: '0', creationTimestamp: MOMENT })
  }
  const moments = BOOTSTRAP_OBJECTS.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g)
  expect(new Set(moments)).toEqual(new Set([MOMENT, MICRO_MOMENT]))
})

it('are created with the startup time, in microseconds for MicroTime fields', async () => {
  const server = testServer({ clock: new SimulatedClock(Date.parse('2026-01-01T00:00:00.250Z')) })
  const { items } = (
    await sendRequest(server, {
      path: '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases',
    })
  ).json
  expect(items[0]).toMatchObject({
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { renewTime: '2026-01-01T00:00:00.250000Z' },
  })
  await server.close()
})
