/**
 * The effects of an apply, computed from a dry run
 * (https://kubernetes.io/docs/reference/using-api/server-side-apply/).
 */

import {
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  option,
  record,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONFLICT } from '../../../src/app/features/manifests/failure'
import { conflictsOf, effectsOf } from '../../../src/app/features/ownership/effects'
import {
  manifestOf,
  manifestWith,
  manifestWithout,
} from '../../../src/app/features/ownership/extract'
import { isApplier } from '../../../src/app/features/ownership/owners'
import type { KubeObject } from '../../../src/engine/core/object'
import type { ApiServer } from '../../../src/engine/server/server'
import { jsonObject } from '../../support/json-objects'
import { sendRequest, testServer } from '../../support/server'
import { applied, DEPLOYMENTS, deployment, MAPS, map, WEB } from './support'

const A = `${MAPS}/a`
const read = async (server: ApiServer, path = A): Promise<KubeObject> =>
  (await sendRequest(server, { path })).json

/** `field effect, owners before > owners after` */
async function tried(
  server: ApiServer,
  body: unknown,
  manager: string,
  { force = false, path = A } = {},
): Promise<string[]> {
  const before = await read(server, path)
  const { status, json } = await applied(server, path, body, { manager, force, dryRun: true })
  expect(status).toBe(200)
  expect(await read(server, path)).toEqual(before)
  const names = (owners: { name: string }[]) =>
    owners
      .map(({ name }) => name)
      .sort()
      .join('+') || 'none'
  return effectsOf(before, json, { name: manager, operation: 'Apply' }).map(
    ({ field, effect, ownersBefore, ownersAfter }) =>
      `${field} ${effect}: ${names(ownersBefore)} > ${names(ownersAfter)}`,
  )
}

async function twoOwners(): Promise<ApiServer> {
  const server = testServer()
  await applied(server, A, map({ x: '1', y: '2' }), { manager: 'alice' })
  return server
}

describe('one field', () => {
  it('is shared by applying the same value', async () => {
    expect(await tried(await twoOwners(), map({ x: '1' }), 'bob')).toEqual([
      '.data.x shared: alice > alice+bob',
    ])
  })

  it('is changed by force, and taken from its owner', async () => {
    expect(await tried(await twoOwners(), map({ x: '9' }), 'bob', { force: true })).toEqual([
      '.data.x changed: alice > bob',
    ])
  })

  it('is removed when its only owner leaves it out', async () => {
    expect(await tried(await twoOwners(), map({ x: '1' }), 'alice')).toEqual([
      '.data.y removed: alice > none',
    ])
  })

  it('is relinquished when one of its owners leaves it out', async () => {
    const server = await twoOwners()
    await applied(server, A, map({ x: '1' }), { manager: 'bob' })
    expect(await tried(server, map({ y: '2' }), 'alice')).toEqual([
      '.data.x relinquished: alice+bob > bob',
    ])
  })

  it('is added, with its owner', async () => {
    expect(await tried(await twoOwners(), map({ z: '3' }), 'bob')).toEqual([
      '.data.z added: none > bob',
    ])
  })

  it('is claimed where it had no owner, and reset to its default when it is left out', async () => {
    const server = testServer()
    const path = `${DEPLOYMENTS}/web`
    await applied(server, path, deployment(WEB), { manager: 'alice' })
    expect(
      await tried(server, deployment({ progressDeadlineSeconds: 600 }), 'bob', { path }),
    ).toEqual(['.spec.progressDeadlineSeconds claimed: none > bob'])
    const { replicas: _replicas, ...rest } = WEB
    expect(await tried(server, deployment(rest), 'alice', { path })).toEqual([
      '.spec.replicas reset: alice > none',
    ])
  })

  it('is empty when nothing differs', async () => {
    expect(await tried(await twoOwners(), map({ x: '1', y: '2' }), 'alice')).toEqual([])
  })
})

it('covers an update too, which takes the changed fields', async () => {
  const server = await twoOwners()
  const before = await read(server)
  const headers = { 'content-type': 'application/merge-patch+json' }
  const { json } = await sendRequest(server, {
    method: 'PATCH',
    path: `${A}?fieldManager=hpa&dryRun=All`,
    body: { data: { x: '7' } },
    headers,
  })
  const [effect, ...others] = effectsOf(before, json, { name: 'hpa', operation: 'Update' })
  expect(others).toEqual([])
  expect(effect).toMatchObject({
    field: '.data.x',
    effect: 'changed',
    before: '1',
    after: '7',
    ownersBefore: [{ name: 'alice' }],
    ownersAfter: [{ name: 'hpa' }],
  })
})

it('lists a whole item of a list once', async () => {
  const server = testServer()
  const path = `${DEPLOYMENTS}/web`
  await applied(server, path, deployment(WEB), { manager: 'alice' })
  const sidecar = { template: { spec: { containers: [{ name: 'log', image: 'log:1' }] } } }
  expect(await tried(server, deployment(sidecar), 'bob', { path })).toEqual([
    '.spec.template.spec.containers[name="log"] added: none > bob',
  ])
})

describe('a conflict', () => {
  it('has for each field what is wanted, what is there, and whose it is', async () => {
    const server = testServer()
    await applied(server, A, map({ x: '1' }, { labels: { 'app.kubernetes.io/name': 'one' } }), {
      manager: 'alice',
    })
    const wanted = map({ x: '2' }, { labels: { 'app.kubernetes.io/name': 'two' } })
    const { status, json } = await applied(server, A, wanted, { manager: 'bob' })
    expect(status).toBe(409)
    const fields = conflictsOf(json.details.causes, jsonObject(wanted), await read(server))
    expect(
      fields.map(({ field, yours, live, owners }) => [
        field,
        yours,
        live,
        owners.map(({ name }) => name),
      ]),
    ).toEqual([
      ['.data.x', '2', '1', ['alice']],
      ['.metadata.labels.app.kubernetes.io/name', 'two', 'one', ['alice']],
    ])
  })

  it('is only what the server calls one', () => {
    expect(
      conflictsOf(
        [{ reason: 'FieldValueInvalid', field: '.data' }],
        {},
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      ),
    ).toEqual([])
    expect(CONFLICT).toBe('FieldManagerConflict')
  })
})

describe('the manifest of a manager', () => {
  const path = `${DEPLOYMENTS}/web`
  const alices = ({ owner }: { owner: Parameters<typeof isApplier>[0] }) =>
    isApplier(owner, 'alice')

  it('is what it applied, and changes nothing when it is applied again', async () => {
    const server = testServer()
    await applied(server, path, deployment(WEB), { manager: 'alice' })
    const before = await read(server, path)
    const manifest = manifestOf(before, alices)
    expect(manifest).toMatchObject(deployment(WEB))
    expect(await tried(server, manifest, 'alice', { path })).toEqual([])
  })

  it('can hold one field only, and all but one', async () => {
    const server = testServer()
    await applied(server, path, deployment(WEB), { manager: 'alice' })
    const before = await read(server, path)
    const image = ['f:spec', 'f:template', 'f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image']
    expect(manifestWith(before, image)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } } },
    })
    const { replicas: _replicas, ...rest } = WEB
    const without = manifestWithout(before, alices, [['f:spec', 'f:replicas']])
    expect(without.spec).toMatchObject(rest)
    expect(without.spec).not.toHaveProperty('replicas')
  })
})

it('agrees with the owners that the server writes down, whatever two managers apply', async () => {
  const data = dictionary(constantFrom('x', 'y', 'z'), constantFrom('1', '2'))
  const steps = record({
    first: data,
    second: option(data, { nil: undefined }),
    third: data,
    force: boolean(),
  })
  await assert(
    asyncProperty(steps, async ({ first, second, third, force }) => {
      const server = testServer()
      await applied(server, A, map(first), { manager: 'alice' })
      if (second) await applied(server, A, map(second), { manager: 'bob', force: true })
      const before = await read(server)
      const { status, json: after } = await applied(server, A, map(third), {
        manager: 'alice',
        force,
        dryRun: true,
      })
      if (status === 409) return
      const effects = new Map(
        effectsOf(before, after, { name: 'alice', operation: 'Apply' }).map((effect) => [
          effect.field,
          effect,
        ]),
      )
      for (const key of ['x', 'y', 'z']) {
        const owners = (object: KubeObject) =>
          (object.metadata.managedFields ?? [])
            .filter(({ fieldsV1 }) => `f:${key}` in ((fieldsV1?.['f:data'] as object) ?? {}))
            .map(({ manager }) => manager)
        const value = (object: KubeObject) =>
          (object.data as Record<string, string> | undefined)?.[key]
        const same =
          value(before) === value(after) && owners(before).join() === owners(after).join()
        const effect = effects.get(`.data.${key}`)
        // A value that is added or removed as a whole is listed once.
        const whole = effects.get('.data')
        if (effect === undefined && whole && ['added', 'removed'].includes(whole.effect)) continue
        expect(effect === undefined).toBe(same)
        if (effect === undefined) continue
        expect([effect.before, effect.after]).toEqual([value(before), value(after)])
        expect(effect.ownersAfter.map(({ name }) => name)).toEqual(owners(after))
      }
    }),
    { numRuns: 60 },
  )
})
