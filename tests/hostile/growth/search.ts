/**
 * Sends each kind with each of its positions grown, and reports where the counted work grows faster
 * than the object.
 */
import { SimulatedClock, seededRandom } from '../../../src/engine/core/environment'
import type { JsonObject } from '../../../src/engine/core/object'
import { loadTables } from '../../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../../src/engine/release-tables/tables'
import { discoveryOf } from '../../../src/engine/releases/discovery'
import { DEFAULT_RELEASE, type Release } from '../../../src/engine/releases/release'
import { modelOf } from '../../../src/engine/schema/builtin'
import { createApiServer } from '../../../src/engine/server/server'
import { createMemoryStorage } from '../../../src/engine/storage/memory'
import { NAMESPACE, recordedSeeds } from '../../generated/seeds'
import { TEST_RELEASE } from '../../support/release'
import { type Growth, growthsOf, growthsOfAbsent, sampleOf, visitFields } from './grown'
import { CONFIRMED, growsTooFast, type Measured } from './measure'
import type { WorkCounter } from './work'

/** The largest size, which is halved until the object fits into a request, and the share of the others. */
const LARGEST = 4096
const SHARES = [64, 8, 1] as const
const MOST_BYTES = 2_500_000

export interface Finding {
  position: string
  work: number[]
}

export interface Search {
  tried: number
  findings: Finding[]
  /** Requests without a response, or with the status 500. */
  failures: string[]
}

/** A kind, its collection, and an object of it. */
interface Subject {
  release: Release
  kind: string
  collection: string
  object: JsonObject
  hasStatus: boolean
}

export interface Case {
  name: string
  growth: Growth
  subject: Subject
}

/**
 * Returns every position of the recorded object with the most in it, for each kind and version of
 * the newest release; then every field that none of them has, of all kinds of the newest and the
 * recorded release.
 */
export async function cases(): Promise<Case[]> {
  await loadTables(DEFAULT_RELEASE)
  const visited = new Set<string>()
  const recorded: Case[] = []
  const absent: Case[] = []
  const subjects = subjectsOf(DEFAULT_RELEASE)
  for (const subject of subjects) {
    const type = typeOf(subject)
    if (type === undefined) continue
    visitFields(type, subject.object, visited)
    recorded.push(...growthsOf(type, subject.object).map((growth) => caseOf(subject, growth)))
  }
  for (const subject of [...subjects, ...subjectsOf(TEST_RELEASE)]) {
    const type = typeOf(subject)
    if (type === undefined) continue
    absent.push(
      ...growthsOfAbsent(type, subject.object, visited).map((growth) => caseOf(subject, growth)),
    )
  }
  return [...recorded, ...absent]
}

function caseOf(subject: Subject, growth: Growth): Case {
  const release = subject.release === DEFAULT_RELEASE ? '' : `${subject.release} `
  return { name: `${release}${subject.kind} ${growth.position}`, growth, subject }
}

function typeOf({ release, object }: Subject) {
  const [version = '', group = ''] = String(object.apiVersion).split('/').reverse()
  return modelOf(tablesOf(release)).byKind(group, version, String(object.kind))
}

/** Returns each kind that the release can create, with the largest recorded object or a sample. */
function subjectsOf(release: Release): Subject[] {
  const seeds = largestSeeds()
  return discoveryOf(release).all.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.flatMap(({ resource, responseKind: { kind }, scope, verbs, subresources }) => {
        if (!verbs.includes('create')) return []
        const apiVersion = group === '' ? version : `${group}/${version}`
        const namespace = scope === 'Namespaced' ? `/namespaces/${NAMESPACE}` : ''
        const type = modelOf(tablesOf(release)).byKind(group, version, kind)
        const object = seeds.get(`${apiVersion} ${kind}`) ?? {
          ...(type === undefined ? {} : (sampleOf(type) as JsonObject)),
          apiVersion,
          kind,
          metadata: { name: 'x' },
        }
        return {
          release,
          kind: `${apiVersion} ${kind}`,
          collection: `/${group === '' ? 'api' : 'apis'}/${apiVersion}${namespace}/${resource}`,
          object,
          hasStatus: subresources?.some(({ subresource }) => subresource === 'status') ?? false,
        }
      }),
    ),
  )
}

function largestSeeds(): Map<string, JsonObject> {
  const largest = new Map<string, JsonObject>()
  for (const { object } of recordedSeeds()) {
    const kind = `${object.apiVersion} ${object.kind}`
    const known = largest.get(kind)
    if (known === undefined || JSON.stringify(object).length > JSON.stringify(known).length)
      largest.set(kind, object)
  }
  return largest
}

/**
 * @param report is called with each case that was tried, by its index
 * @param most the largest size, for a shorter search
 */
export async function search(
  counter: WorkCounter,
  chosen: readonly Case[],
  report: (index: number, finding?: Finding) => void = () => undefined,
  most = LARGEST,
): Promise<Search> {
  const found: Search = { tried: 0, findings: [], failures: [] }
  for (const [index, one] of chosen.entries()) {
    const fail = (why: string) => found.failures.push(`${one.name}: ${why}`)
    const measured = await measuredCase(counter, one, most, fail)
    found.tried++
    const finding = growsTooFast(measured)
      ? { position: one.name, work: measured.map(({ work }) => work) }
      : undefined
    if (finding !== undefined) found.findings.push(finding)
    report(index, finding)
  }
  return found
}

async function measuredCase(
  counter: WorkCounter,
  { growth, subject }: Case,
  most: number,
  fail: (why: string) => void,
): Promise<Measured[]> {
  const fits = (size: number) => JSON.stringify(growth.of(size)).length <= MOST_BYTES
  let largest = most
  while (largest > 512 && !fits(largest)) largest /= 2
  const isStatus = subject.hasStatus && growth.position.startsWith('.status')
  const measure = async (size: number): Promise<Measured> => ({
    size,
    work: await workOf(counter, subject, growth.of(size), isStatus, fail),
  })
  // What is prepared once for all requests is not counted.
  for (const share of SHARES.slice(0, 2)) await measure(largest / share / 2)
  const measured: Measured[] = []
  for (const share of SHARES) measured.push(await measure(largest / share))
  if (!growsTooFast(measured)) return measured
  for (const factor of [CONFIRMED, 2]) {
    if (!fits(largest * factor)) continue
    const larger = await measure(largest * factor)
    // An object beyond a limit is rejected with less work, which shows no growth.
    if (larger.work < (measured.at(-1) as Measured).work) continue
    measured.push(larger)
    break
  }
  return measured
}

/**
 * Counts a create and an update by a server of its own, so that one object does not pay for another;
 * what the server prepares once is not counted.
 */
async function workOf(
  counter: WorkCounter,
  { release, collection }: Subject,
  object: JsonObject,
  isStatus: boolean,
  fail: (why: string) => void,
): Promise<number> {
  const server = createApiServer({
    clock: new SimulatedClock(),
    random: seededRandom(1),
    release,
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
  const target = `${collection}/${encodeURIComponent(name)}`
  return counter.measure(async () => {
    const created = await send('POST', collection, object)
    if (created.includes('"status":"Failure"')) return created
    if (isStatus) return created + (await send('PUT', `${target}/status`, object))
    const table = {
      ...object,
      metadata: { ...(object.metadata as JsonObject), labels: { changed: 'yes' } },
    }
    return created + (await send('PUT', target, table))
  })
}
