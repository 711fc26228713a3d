/**
 * Recipes transfer ownership: every request is sent to a server, and its managedFields are checked.
 */

import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../../src/app/features/ownership/field-paths'
import { claimsOf } from '../../../src/app/features/ownership/owners'
import {
  anotherValue,
  clearing,
  handoverFields,
  migrated,
  type Step,
  toAnotherApplier,
  toController,
  toServerSide,
  union,
} from '../../../src/app/features/ownership/recipes'
import { lastApplied, withLastApplied } from '../../../src/console/three-way'
import type { JsonObject, KubeObject } from '../../../src/engine/core/object'
import type { ApiServer } from '../../../src/engine/server/server'
import { jsonObject } from '../../support/json-objects'
import { sendRequest, testServer } from '../../support/server'
import { applied, DEPLOYMENTS, deployment, WEB } from './support'

const PATH = `${DEPLOYMENTS}/web`
const REPLICAS = ['f:spec', 'f:replicas']
const IMAGE = ['f:spec', 'f:template', 'f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image']

const read = async (server: ApiServer): Promise<KubeObject> =>
  (await sendRequest(server, { path: PATH })).json

async function web(): Promise<ApiServer> {
  const server = testServer()
  await applied(server, PATH, deployment(WEB), { manager: 'alice' })
  return server
}

/** Sends the steps in turn, each made from the object as it is then. @returns the owners of the field after each */
async function walked(
  server: ApiServer,
  stepsOf: (object: KubeObject) => Step[],
  field: readonly string[],
): Promise<string[]> {
  const owners: string[] = []
  for (let index = 0; index < stepsOf(await read(server)).length; index++) {
    const { request } = stepsOf(await read(server))[index] as Step
    const headers = { 'content-type': request.contentType }
    const { status, text } = await sendRequest(server, {
      method: request.method,
      path: request.path,
      body: request.body,
      headers,
    })
    expect([status, text]).toEqual([200, text])
    owners.push(ownersOf(await read(server), field))
  }
  return owners
}

const ownersOf = (object: KubeObject, field: readonly string[]): string =>
  claimsOf(object)
    .filter(({ path }) => path.join() === field.join())
    .map(({ owner }) => owner.name)
    .sort()
    .join('+')

describe('to another applier', () => {
  it('shares the field first, and then has it relinquished', async () => {
    const server = await web()
    const before = await read(server)
    const handover = { path: IMAGE, from: 'alice', to: 'bob' }
    expect(
      await walked(server, (object) => toAnotherApplier(object, PATH, handover), IMAGE),
    ).toEqual(['alice+bob', 'bob'])
    expect((await read(server)).spec).toEqual(before.spec)
  })

  it('leaves what the other applied before as it is', async () => {
    const server = await web()
    await applied(server, PATH, deployment({ minReadySeconds: 5 }), { manager: 'bob' })
    await walked(
      server,
      (object) => toAnotherApplier(object, PATH, { path: REPLICAS, from: 'alice', to: 'bob' }),
      REPLICAS,
    )
    expect(ownersOf(await read(server), ['f:spec', 'f:minReadySeconds'])).toBe('bob')
  })
})

describe('to a controller', () => {
  it('keeps the field with a private manager, which is gone once the controller has written', async () => {
    const server = await web()
    const steps = (object: KubeObject) =>
      toController(object, PATH, { path: REPLICAS, from: 'alice', to: 'hpa' }, 7)
    expect(await walked(server, steps, REPLICAS)).toEqual([
      'alice+handover-to-hpa',
      'handover-to-hpa',
      'hpa',
    ])
    const after = await read(server)
    expect((after.spec as JsonObject).replicas).toBe(7)
    expect(after.metadata.managedFields?.map(({ manager }) => manager)).not.toContain(
      'handover-to-hpa',
    )
  })

  it('reaches into the items of lists, where the controller applies by force', async () => {
    const server = await web()
    const steps = (object: KubeObject) =>
      toController(object, PATH, { path: IMAGE, from: 'alice', to: 'updater' }, 'nginx:1.28')
    expect((await walked(server, steps, IMAGE)).at(-1)).toBe('updater')
  })
})

it('writes another value of the same type', () => {
  expect([3, true, 'a', undefined].map(anotherValue)).toEqual([4, false, 'a-2', ''])
})

describe('from client-side to server-side apply', () => {
  async function clientSide(): Promise<ApiServer> {
    const server = testServer()
    const body = withLastApplied(jsonObject(deployment(WEB)))
    await sendRequest(server, {
      method: 'POST',
      path: `${DEPLOYMENTS}?fieldManager=kubectl-client-side-apply`,
      body,
    })
    return server
  }

  it('moves the fields of the one name to the other', async () => {
    const server = await clientSide()
    const owners = await walked(server, (object) => toServerSide(object, PATH), REPLICAS)
    expect(owners).toEqual(['kubectl+kubectl-client-side-apply', 'kubectl'])
    expect(
      (await read(server)).metadata.managedFields?.map(
        ({ manager, operation }) => `${manager} ${operation}`,
      ),
    ).toEqual(['kubectl Apply'])
  })

  it('lets a field that is left out afterwards go', async () => {
    const server = await clientSide()
    await walked(server, (object) => toServerSide(object, PATH), REPLICAS)
    const object = await read(server)
    const { replicas: _replicas, ...rest } = WEB
    expect(lastApplied(jsonObject(object)).spec).toEqual(WEB)
    const { json } = await applied(server, PATH, deployment(jsonObject(rest)), {
      manager: 'kubectl',
    })
    expect(json.spec.replicas).toBe(1)
    expect(ownersOf(json, REPLICAS)).toBe('')
  })

  it('changes nothing where nothing was applied in the client', () => {
    const entries = [{ manager: 'alice', operation: 'Apply', fieldsV1: { 'f:data': {} } }]
    expect(migrated(entries)).toEqual(entries)
  })
})

it('clears, in both forms of the request', async () => {
  for (const form of ['merge', 'json'] as const) {
    const server = await web()
    await walked(server, () => clearing(PATH, form), REPLICAS)
    expect((await read(server)).metadata.managedFields).toBeUndefined()
  }
})

it('offers what appliers own, and not what items are known by', async () => {
  const fields = handoverFields(claimsOf(await read(await web()))).map(({ path }) => path.join(' '))
  expect(fields).toContain(IMAGE.join(' '))
  expect(fields.filter((field) => /k:\{"name":"\w+"\} f:name$/.test(field))).toEqual([])
})

/** Paths of the same few elements, so that one is often above another. */
const paths = array(
  array(constantFrom('f:a', 'f:b', 'k:{"n":1}'), { minLength: 1, maxLength: 3 }),
  { maxLength: 6 },
)

function treeOf(all: string[][]): JsonObject {
  const root: JsonObject = {}
  for (const path of all) {
    let at = root
    for (const element of path) {
      if (
        at !== root &&
        Object.keys(at).length === 0 &&
        all.some(
          (other) => other.length < path.length && path.join().startsWith(`${other.join()},`),
        )
      )
        at['.'] ??= {}
      at = (at[element] as JsonObject) ?? (at[element] = {})
    }
    if (Object.keys(at).length > 0) at['.'] = {}
  }
  return root
}

it('joins the fields of two entries: every path of either, and no other', () => {
  const keys = (fields: JsonObject) => new Set(pathsOf(fields).map(({ path }) => path.join(' ')))
  assert(
    property(paths, paths, (one, other) => {
      const trees = [treeOf(one), treeOf(other)] as const
      expect(keys(union(...trees))).toEqual(new Set([...keys(trees[0]), ...keys(trees[1])]))
    }),
  )
})
