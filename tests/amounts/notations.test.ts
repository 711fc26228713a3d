/**
 * Amounts that are equal in another notation, in every field of every built-in kind, against a model that knows nothing of how the
 * server decides: a table of which notations are equal in which way.
 */
import { describe, expect, it } from 'vitest'
import { type Json, type JsonObject, parseApiVersion } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { ScalarFormat, StructType } from '../../src/engine/schema/model'
import type { ApiServer } from '../../src/engine/server/server'
import { NAMESPACE, recordedSeeds, type Seed } from '../generated/seeds'
import { sendRequest, type TestResponse, testServer } from '../support/server'
import { type AmountField, amountFields } from './fields'
import { amountAt, replaceAmount, type Way, withAmount } from './objects'
import { UNREACHED } from './unreached'

interface Notation {
  stored: Json
  /** Equal by value. */
  other: Json
  /** The stored form of the other notation; an equal text is not a change. */
  becomes: Json
  /** Go holds both in the same way, which decides who owns a list. */
  isHeldAlike: boolean
}

const NOTATIONS: Partial<Record<ScalarFormat, Notation[]>> = {
  quantity: [
    { stored: '1', other: '1000m', becomes: '1', isHeldAlike: false },
    { stored: '1Gi', other: '1073741824', becomes: '1073741824', isHeldAlike: false },
    { stored: '1Gi', other: '1024Mi', becomes: '1Gi', isHeldAlike: false },
    { stored: '8Mi', other: '8192Ki', becomes: '8Mi', isHeldAlike: true },
    { stored: '2k', other: '2e3', becomes: '2e3', isHeldAlike: false },
    { stored: '100M', other: '100000k', becomes: '100M', isHeldAlike: false },
  ],
  time: [
    {
      stored: '2024-02-29T12:00:00Z',
      other: '2024-02-29T13:00:00+01:00',
      becomes: '2024-02-29T12:00:00Z',
      isHeldAlike: true,
    },
  ],
  microTime: [
    {
      stored: '2024-02-29T12:00:00.000000Z',
      other: '2024-02-29T13:00:00.000000+01:00',
      becomes: '2024-02-29T12:00:00.000000Z',
      isHeldAlike: true,
    },
  ],
}

/** A change by the least that can be written, or by the type alone. */
interface Neighbor {
  stored: Json
  /** Unequal by value. */
  other: Json
  /** The stored form of the other value. */
  becomes: Json
}

const NEIGHBORS: Partial<Record<ScalarFormat, Neighbor[]>> = {
  quantity: [
    { stored: '1', other: '1001m', becomes: '1001m' },
    { stored: '1Gi', other: '1073741825', becomes: '1073741825' },
    { stored: '8Mi', other: '8193Ki', becomes: '8193Ki' },
    { stored: '1', other: '2', becomes: '2' },
  ],
  time: [
    {
      stored: '2024-02-29T12:00:00Z',
      other: '2024-02-29T13:00:01+01:00',
      becomes: '2024-02-29T12:00:01Z',
    },
  ],
  microTime: [
    {
      stored: '2024-02-29T12:00:00.000000Z',
      other: '2024-02-29T13:00:00.000001+01:00',
      becomes: '2024-02-29T12:00:00.000001Z',
    },
  ],
  // A number and the text of its digits are two values.
  intOrString: [
    { stored: 1, other: 2, becomes: 2 },
    { stored: 1, other: '1', becomes: '1' },
    { stored: 1, other: '1%', becomes: '1%' },
    { stored: '50%', other: '51%', becomes: '51%' },
    { stored: '50%', other: 50, becomes: 50 },
    { stored: 'http', other: 'https', becomes: 'https' },
  ],
}
/** The kind's rules reject the value, or any change of the field. */
const REJECTED = [403, 422]
const KEYS = ['cpu', 'storage', 'pods']
const MOST_SEEDS = 6

const send = (
  server: ApiServer,
  method: string,
  path: string,
  manager: string,
  body: JsonObject,
  type = 'application/json',
) =>
  sendRequest(server, {
    method,
    path: `${path}?${manager}`,
    body,
    headers: { 'content-type': type },
  })
const BY_A = 'fieldManager=a'
const BY_B = 'fieldManager=b'

/** A server that validates only the kind of an object. */
async function freshServer(): Promise<ApiServer> {
  const server = testServer({
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DynamicResourceAllocation: true, CoordinatedLeaderElection: true },
    disableAdmissionPlugins: [
      'ServiceAccount',
      'LimitRanger',
      'ResourceQuota',
      'Priority',
      'PersistentVolumeClaimResize',
    ],
  })
  await sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: NAMESPACE } },
  })
  return server
}

interface Kind {
  name: string
  type: StructType
  seeds: Seed[]
}

function kindsWithAmounts(): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const seed of recordedSeeds()) {
    const { apiVersion, kind } = seed.object
    const name = `${apiVersion} ${kind}`
    const { group, version } = parseApiVersion(String(apiVersion))
    const type = builtinModel().byKind(group, version, String(kind))
    if (type === undefined || amountFields(type).length === 0) continue
    const known = kinds.get(name) ?? { name, type, seeds: [] }
    kinds.set(name, known)
    known.seeds.push(seed)
  }
  const length = ({ object }: Seed): number => JSON.stringify(object).length
  for (const { seeds } of kinds.values()) seeds.sort((a, b) => length(a) - length(b))
  return [...kinds.values()]
}

/** How an object with the field is made: from which one, where in its lists, under which key of its maps. */
interface Recipe {
  seed: Seed
  way: Way
  key: string
}

/** One object with an amount in one field. */
interface Placed {
  object: JsonObject
  /** Where the field is written: the object, or its status. */
  path: string
  remove(): Promise<unknown>
}

class FieldTest {
  private count = 0

  constructor(
    private readonly server: ApiServer,
    private readonly kind: Kind,
    readonly field: AmountField,
  ) {}

  get top(): string {
    return this.field.path.split(/[.[{]/)[0] ?? ''
  }

  async recipe(amount: Json): Promise<Recipe | undefined> {
    for (const way of ['first', 'added'] as const) {
      for (const seed of this.nearest()) {
        for (const key of this.field.path.includes('{}') ? KEYS : ['']) {
          const recipe = { seed, way, key }
          const placed = await this.place(recipe, amount)
          if (placed === undefined) continue
          await placed.remove()
          return recipe
        }
      }
    }
    return undefined
  }

  /** The objects that have most of what leads to the field. */
  private nearest(): Seed[] {
    const { steps } = this.field
    const reach = ({ object }: Seed) =>
      steps.filter((_, i) => amountAt(object, steps.slice(0, i + 1), 'first') !== undefined).length
    const ranked = this.kind.seeds
      .map((seed) => ({ seed, reach: reach(seed) }))
      .sort((a, b) => b.reach - a.reach)
    return ranked.slice(0, MOST_SEEDS).map(({ seed }) => seed)
  }

  /** @returns undefined if the server does not take it there, or takes something else */
  async place({ seed, way, key }: Recipe, amount: Json): Promise<Placed | undefined> {
    const { server, field } = this
    const whole = withAmount(
      seed.object,
      this.kind.type,
      field.steps,
      amount,
      key,
      way,
    ) as JsonObject
    const { status, ...others } = whole
    const name = `amount-${field.path.length}-${this.count++}`
    const ofStatus = this.top === 'status'
    const metadata = { ...(whole.metadata as JsonObject), name }
    const created = await send(server, 'POST', seed.collection, BY_A, {
      ...(ofStatus ? others : whole),
      metadata,
    })
    if (created.status !== 201) return undefined
    const main = `${seed.collection}/${name}`
    const path = ofStatus ? `${main}/status` : main
    const remove = () =>
      sendRequest(server, { method: 'DELETE', path: `${main}?gracePeriodSeconds=0` })
    // The first write of some kinds stores what reading fills in.
    const object = { ...created.json, ...(ofStatus ? { status: status as Json } : {}) }
    const settled = await send(server, 'PUT', path, BY_A, object)
    if (settled.status === 200 && amountAt(settled.json, field.steps, way) === amount)
      return { object: settled.json, path, remove }
    await remove()
    return undefined
  }

  /** The same object with the amount in another notation. */
  changed(object: JsonObject, { other }: { other: Json }, { way }: Recipe): JsonObject {
    return replaceAmount(object, this.field.steps, other, way) as JsonObject
  }

  found({ status, json }: TestResponse, { object }: Placed, { way }: Recipe) {
    if (status !== 200) return { status, message: json?.message }
    const { generation, resourceVersion, managedFields = [] } = json.metadata
    const before = object.metadata as JsonObject
    return {
      value: amountAt(json, this.field.steps, way),
      isRaised: generation !== before.generation,
      isWritten: resourceVersion !== before.resourceVersion,
      isOwned: managedFields.some(({ manager }: { manager: string }) => manager === 'b'),
    }
  }

  /**
   * The expected result of an update, from the table only. Objects without managers at first have
   * none.
   */
  updated({ stored, becomes, isHeldAlike }: Notation, { object }: Placed) {
    const isOther = becomes !== stored
    const hasOwners = (object.metadata as JsonObject).managedFields !== undefined
    const isOwned = hasOwners && (isOther || (this.field.inAtomicList && !isHeldAlike))
    return { value: becomes, isRaised: false, isWritten: isOther || isOwned, isOwned }
  }
}

/** The expected result of an update to an unequal value that the kind allows. */
function changedTo({ becomes }: Neighbor, top: string, { object }: Placed) {
  const { generation, managedFields } = object.metadata as JsonObject
  return {
    value: becomes,
    isRaised: generation !== undefined && ['spec', 'template'].includes(top),
    isWritten: true,
    isOwned: managedFields !== undefined,
  }
}

type Write = (
  test: FieldTest,
  server: ApiServer,
  placed: Placed,
  body: JsonObject,
) => Promise<TestResponse>

const put: Write = (_, server, { path }, body) => send(server, 'PUT', path, BY_B, body)
const mergePatch: Write = ({ top }, server, { path }, body) =>
  send(server, 'PATCH', path, BY_B, { [top]: body[top] as Json }, 'application/merge-patch+json')
const apply: Write = ({ top }, server, { path }, body) => {
  const { apiVersion, kind, metadata } = body
  const { name } = metadata as JsonObject
  const applied = { apiVersion, kind, metadata: { name }, [top]: body[top] } as JsonObject
  return send(server, 'PATCH', path, `${BY_B}&force=true`, applied, 'application/apply-patch+yaml')
}

/** What an apply to the endpoint leaves alone. */
const NOT_APPLIED = /CertificateSigningRequest status\.conditions/

/** Patches are decoded as bodies are, so two notations suffice for them. */
const WRITES: [name: string, write: Write, notations: number][] = [
  ['PUT', put, Number.POSITIVE_INFINITY],
  ['merge patch', mergePatch, 2],
  ['apply', apply, 2],
]

describe.each(kindsWithAmounts().map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  it('takes an equal amount for what it is, in every field', { timeout: 240_000 }, async () => {
    const server = await freshServer()
    const unreached: string[] = []
    const wrong: string[] = []
    for (const field of amountFields(kind.type)) {
      const notations = NOTATIONS[field.format]
      if (notations?.[0] === undefined) continue
      const test = new FieldTest(server, kind, field)
      const recipe = await test.recipe(notations[0].stored)
      if (recipe === undefined) {
        unreached.push(field.path)
        continue
      }
      for (const [name, write, most] of WRITES) {
        if (write === apply && NOT_APPLIED.test(`${kind.name} ${field.path}`)) continue
        for (const notation of notations.slice(0, most)) {
          const placed = await test.place(recipe, notation.stored)
          if (placed === undefined) continue
          const response = await write(
            test,
            server,
            placed,
            test.changed(placed.object, notation, recipe),
          )
          const is = test.found(response, placed, recipe)
          // An apply owns the applied fields.
          const shall = {
            ...test.updated(notation, placed),
            ...(write === apply ? { isWritten: true, isOwned: true } : {}),
          }
          if (JSON.stringify(is) !== JSON.stringify(shall))
            wrong.push(
              `${field.path}: ${name} ${notation.stored} ${notation.other}: ${JSON.stringify(is)}, not ${JSON.stringify(shall)}`,
            )
          await placed.remove()
        }
      }
    }
    expect(wrong).toEqual([])
    expect(unreached).toEqual(UNREACHED[kind.name] ?? [])
  })

  it('takes an unequal neighbor for a change, in every field', { timeout: 240_000 }, async () => {
    const server = await freshServer()
    const wrong: string[] = []
    for (const field of amountFields(kind.type)) {
      const test = new FieldTest(server, kind, field)
      const recipes = new Map<Json, Recipe | undefined>()
      for (const [index, neighbor] of (NEIGHBORS[field.format] ?? []).entries()) {
        const { stored } = neighbor
        if (!recipes.has(stored)) recipes.set(stored, await test.recipe(stored))
        const recipe = recipes.get(stored)
        if (recipe === undefined) continue
        // A patch is decoded as a body is, so one neighbor suffices for it.
        for (const [name, write] of WRITES.slice(0, index === 0 ? 2 : 1)) {
          const placed = await test.place(recipe, stored)
          if (placed === undefined) continue
          const body = test.changed(placed.object, neighbor, recipe)
          const response = await write(test, server, placed, body)
          const is = test.found(response, placed, recipe)
          const shall = changedTo(neighbor, test.top, placed)
          if (!REJECTED.includes(response.status) && JSON.stringify(is) !== JSON.stringify(shall))
            wrong.push(
              `${field.path}: ${name} ${stored} ${neighbor.other}: ${JSON.stringify(is)}, not ${JSON.stringify(shall)}`,
            )
          await placed.remove()
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
