/** Sends each kind with each of its positions grown, and reports where the counted work grows faster than the object. */
import { SimulatedClock, seededRandom } from '../../../src/engine/environment'
import type { JsonObject } from '../../../src/engine/object'
import { builtinModel } from '../../../src/engine/schema/builtin'
import { createApiServer } from '../../../src/engine/server'
import { createMemoryStorage } from '../../../src/engine/storage/memory'
import { NAMESPACE, recordedSeeds, type Seed } from '../../generated/seeds'
import { TEST_RELEASE } from '../../support/release'
import { type Growth, growthsOf } from './grown'
import type { WorkCounter } from './work'

/** Linear work grows by at most four times, sorting by five, and pairs by sixteen. */
const SIZES = [128, 512] as const
const SUPERLINEAR = 7
/** Work that is too little to tell, such as a cache that is cleared. */
const NOISE = 20_000

export interface Finding {
  position: string
  work: number[]
}

export interface Search {
  tried: number
  findings: Finding[]
  /** Requests that were not answered, or answered with 500. */
  failures: string[]
}

export interface Case {
  name: string
  growth: Growth
  seed: Seed
}

/** Every position of the object with the most in it, for each kind and version. */
export function cases(): Case[] {
  const largest = new Map<string, Seed>()
  for (const seed of recordedSeeds()) {
    const kind = `${seed.object.apiVersion} ${seed.object.kind}`
    const known = largest.get(kind)
    if (
      known === undefined ||
      JSON.stringify(seed.object).length > JSON.stringify(known.object).length
    )
      largest.set(kind, seed)
  }
  return [...largest].flatMap(([kind, seed]) => {
    const [version = '', group = ''] = String(seed.object.apiVersion).split('/').reverse()
    const type = builtinModel().byKind(group, version, String(seed.object.kind))
    return type === undefined
      ? []
      : growthsOf(type, seed.object).map((growth) => ({
          name: `${kind} ${growth.position}`,
          growth,
          seed,
        }))
  })
}

export async function search(counter: WorkCounter, chosen: readonly Case[]): Promise<Search> {
  const found: Search = { tried: 0, findings: [], failures: [] }
  for (const { name, growth, seed } of chosen) {
    const work: number[] = []
    for (const size of SIZES)
      work.push(
        await workOf(counter, seed.collection, growth.of(size), (why) =>
          found.failures.push(`${name}: ${why}`),
        ),
      )
    found.tried++
    if (growsTooFast(work)) found.findings.push({ position: name, work })
  }
  return found
}

/** Whether the larger of two objects took out of proportion more work. */
export function growsTooFast([small = 0, large = 0]: readonly number[]): boolean {
  return large > SUPERLINEAR * small + NOISE
}

/** A server of its own for each object, so that one does not pay for another; what it prepares once is not counted. */
async function workOf(
  counter: WorkCounter,
  collection: string,
  object: JsonObject,
  fail: (why: string) => void,
): Promise<number> {
  const server = createApiServer({
    release: TEST_RELEASE,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (message, cause) => fail(`${message}: ${cause}`) },
    storage: createMemoryStorage(),
    tokens: 'admin-token,admin,,"system:masters"\n',
    runtimeConfig: { 'api/all': 'true' },
    disableAdmissionPlugins: ['ServiceAccount'],
  })
  const send = async (method: string, target: string, body?: JsonObject): Promise<string> => {
    const init: RequestInit = {
      method,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
    }
    if (body !== undefined) init.body = JSON.stringify(body)
    const response = await server.fetchTarget(new Request('http://127.0.0.1/', init), target)
    return response.text()
  }
  await send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  })
  const name = (object.metadata as { name?: string } | undefined)?.name ?? ''
  return counter.measure(async () => {
    const created = await send('POST', collection, object)
    const table = {
      ...object,
      metadata: { ...(object.metadata as JsonObject), labels: { changed: 'yes' } },
    }
    const updated = created.includes('"status":"Failure"')
      ? ''
      : await send('PUT', `${collection}/${encodeURIComponent(name)}`, table)
    return created + updated
  })
}
