/**
 * Measures the headless server next to a bare Node server in the same run. The figure that counts is the last table's: what a
 * processor second of this server does, as a share of what one of the bare server does, next to the real API server's share.
 *
 *   npm run bench -- [--scale 0.2] [--only REGEX] [--json FILE] [--flags "--port=0 …"] [--profile]
 *   npm run bench -- --passes 3              the whole work three times on one server: the first warms it up, the last is shown
 *   npm run bench -- --growth                what a server-side apply costs by the length of the list in it
 *   npm run bench -- --release=1.31         another release than the newest
 *   npm run bench -- --server URL --pid PID[,PID] [--token T]     some other server
 *
 * --profile writes a processor profile of the server into .cache/profiles.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import {
  cpuSeconds,
  residentMebibytes,
  rest,
  type Started,
  start,
  stop,
} from '../support/processes'
import { client, load } from './client'
import { printGrowth } from './growth'
import { type Measured, type Report, readReference } from './report'
import { type Row, type Workload, workload } from './workload'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    pid: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    flags: { type: 'string', default: '' },
    release: { type: 'string', default: DEFAULT_RELEASE },
    profile: { type: 'boolean', default: false },
    passes: { type: 'string', default: '1' },
    growth: { type: 'boolean', default: false },
  },
})
const only = new RegExp(options.only)
const WATCHERS = 100

/** The reference is the API server alone: what controllers make of a deployment is work of another kind. */
const ALONE = ['--controllers=off', '--scheduler=off', '--nodes=0']

const own = options.server === undefined ? await startOwn() : undefined
if (own) console.log(`release ${options.release}`)
const pids = own ? [own.pid] : (options.pid ?? '').split(',').filter(Boolean).map(Number)
const address = options.server?.replace(/\/$/, '') ?? /https?:\S+/.exec(own?.line ?? '')?.[0] ?? ''
const floor = await start([here('./floor-server.mjs')])
const bare = client(`http://127.0.0.1:${floor.line}`, options.token)
const server = client(address, options.token)
const { rows: reference } = readReference()
const measured: Measured[] = []
/** Requests a processor second of the bare server: the yardstick of watch events. */
let bareGetsPerCpuSecond = Number.NaN

try {
  await rest(pids)
  if (options.growth) await growth()
  else
    for (let pass = Number(options.passes); pass > 0; pass--) {
      measured.length = 0
      await main()
    }
} finally {
  await stop(floor)
  if (own) await stop(own)
}

/** @returns its name */
async function createNamespace(): Promise<string> {
  const name = `bench-${Math.random().toString(36).slice(2, 8)}`
  const created = await server.send('POST', '/api/v1/namespaces', {
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  })
  if (created.status !== 201)
    throw new Error(`no namespace to work in: ${created.status} ${created.text()}`)
  return name
}

async function growth(): Promise<void> {
  const namespace = await createNamespace()
  await printGrowth(server, namespace, () => cpuSeconds(pids))
  await server.send('DELETE', `/api/v1/namespaces/${namespace}`)
}

async function main(): Promise<void> {
  const work = workload(server, await createNamespace(), Number(options.scale))
  await server.send('POST', `/api/v1/namespaces/${work.namespace}/serviceaccounts`, {
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    }),
  })
  for (const row of work.beforeFanOut) if (only.test(row.name)) await measure(row)
  if (only.test('watch fan-out')) await measureFanOut(work)
  for (const row of work.afterFanOut) if (only.test(row.name)) await measure(row)
  if (pids.length > 0) console.log(`resident memory ${residentMebibytes(pids).toFixed(0)} MiB`)
  await server.send('DELETE', `/api/v1/namespaces/${work.namespace}`)
  if (pids.length > 0) printGoals()
  if (options.json)
    writeFileSync(
      options.json,
      JSON.stringify(
        { rows: measured, residentMebibytes: residentMebibytes(pids) } satisfies Report,
        null,
        1,
      ),
    )
}

async function startOwn(): Promise<Started> {
  const profile = options.profile
    ? ['--cpu-prof', `--cpu-prof-dir=${here('../../.cache/profiles')}`]
    : []
  return start([
    ...NODE_FLAGS,
    ...profile,
    await bundleNodeHost(),
    '--port=0',
    `--release=${options.release}`,
    ...ALONE,
    ...options.flags.split(' ').filter(Boolean),
  ])
}

async function measure({
  name,
  count,
  inFlight,
  warm = 0,
  floorMethod = 'GET',
  one,
}: Row): Promise<void> {
  if (warm > 0) await load(warm, inFlight, one)
  const before = cpuSeconds(pids)
  const ours = await load(count, inFlight, one)
  const used = cpuSeconds(pids) - before
  const size = Math.max(2, Math.round(ours.meanBytes))
  const floorCount = size < 20_000 ? 6000 : size < 300_000 ? 2000 : 300
  const body = floorMethod === 'GET' ? {} : { body: 'x'.repeat(Math.min(size, 2000)) }
  await load(200, inFlight, () => bare.send('GET', `/?bytes=${size}`))
  const floorBefore = cpuSeconds([floor.pid])
  const theirs = await load(floorCount, inFlight, () =>
    bare.send(floorMethod, `/?bytes=${size}`, body),
  )
  const floorUsed = cpuSeconds([floor.pid]) - floorBefore
  if (name === 'get configmap') bareGetsPerCpuSecond = floorCount / floorUsed
  record({
    name,
    perSecond: ours.perSecond,
    p50ms: ours.p50,
    p99ms: ours.p99,
    failed: ours.failed,
    perCpuSecond: count / used,
    ofFloor: ours.perSecond / theirs.perSecond,
    cpuOfFloor: count / used / (floorCount / floorUsed),
  })
}

/** One change seen by a hundred watchers: counts events, that is lines, as they arrive. */
async function measureFanOut({
  configMaps,
  configMapCount,
  fanOutEvents,
}: Workload): Promise<void> {
  const expected = WATCHERS * fanOutEvents
  let received = 0
  let finished = () => {}
  const all = new Promise<void>((resolve) => {
    finished = resolve
  })
  const list = JSON.parse((await server.send('GET', `${configMaps}?limit=1`)).text()) as {
    metadata: { resourceVersion: string }
  }
  const path = `${configMaps}?watch=1&resourceVersion=${list.metadata.resourceVersion}`
  const count = (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) received++
    if (received >= expected) finished()
  }
  const open = await Promise.all(Array.from({ length: WATCHERS }, () => server.stream(path, count)))
  const before = cpuSeconds(pids)
  const started = performance.now()
  await load(fanOutEvents, 8, (i) =>
    server.send('PATCH', `${configMaps}/c-${i % configMapCount}`, {
      type: 'application/merge-patch+json',
      body: JSON.stringify({ data: { n: `w${i}` } }),
    }),
  )
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 30_000))])
  const seconds = (performance.now() - started) / 1000
  const used = cpuSeconds(pids) - before
  for (const request of open) {
    request.on('error', () => {})
    request.destroy()
  }
  const cpuOfFloor = received / used / bareGetsPerCpuSecond
  record({
    name: 'watch fan-out',
    perSecond: received / seconds,
    failed: expected - received,
    perCpuSecond: received / used,
    ofFloor: Number.NaN,
    cpuOfFloor,
  })
}

function record(row: Measured): void {
  measured.push(row)
  const latency =
    row.p50ms === undefined
      ? ''
      : `  p50 ${row.p50ms.toFixed(2)} ms  p99 ${(row.p99ms ?? 0).toFixed(2)} ms`
  const shares = `  of bare server: ${row.ofFloor.toFixed(3)}, per cpu ${row.cpuOfFloor.toFixed(3)}`
  console.log(
    `${row.name.padEnd(30)} ${row.perSecond.toFixed(0).padStart(7)}/s ${row.perCpuSecond.toFixed(0).padStart(7)}/cpu s${latency}${shares}${row.failed > 0 ? `  FAILED ${row.failed}` : ''}`,
  )
}

function printGoals(): void {
  console.log(
    `\nshare of the bare server per processor second\n${''.padEnd(30)}    here  real server  times the real    goal`,
  )
  for (const { name, cpuOfFloor } of measured) {
    const row = reference[name]
    if (row === undefined || Number.isNaN(cpuOfFloor)) continue
    const { perCpuSecondOfFloor: real, goalPerCpuSecondOfFloor: goal } = row
    const times = (cpuOfFloor / real).toFixed(1)
    console.log(
      `${name.padEnd(30)} ${cpuOfFloor.toPrecision(2).padStart(7)} ${String(real).padStart(12)} ${times.padStart(15)} ${String(goal).padStart(7)} ${cpuOfFloor >= goal ? 'met' : ''}`,
    )
  }
}
