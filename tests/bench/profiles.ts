/**
 * Where the time of the bench's three worst rows goes, as Markdown: by directory of the source, and by function.
 *
 *   npm run bench:profiles                       the three rows that are farthest from their goals
 *   npm run bench:profiles -- --only 'create pod'  rows whose names match
 *
 * Each row has a server of its own, which is warmed up, does what comes before the row, and then the row for a few seconds, under
 * V8's sampling profiler. Its .cpuprofile stays in .cache/profiles, for DevTools.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { rest, type Started, start, stop } from '../support/processes'
import { client, load } from './client'
import { type CpuProfile, shares } from './cpu-profile'
import { type Measured, type Report, readReference } from './report'
import { type Row, workload } from './workload'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const FOLDER = here('../../.cache/profiles')
const SECONDS = 4
const FUNCTIONS = 15
const DIRECTORIES = 12

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })

/** @returns names of the rows that reach the least part of their goals, of those that can be done again and again */
async function worst(count: number): Promise<string[]> {
  const file = `${FOLDER}/rows.json`
  await stopped(await start([...process.execArgv, here('./run.ts'), '--json', file]))
  const { rows } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const { rows: reference } = readReference()
  const reached = ({ name, cpuOfFloor }: Measured) =>
    cpuOfFloor / (reference[name]?.goalPerCpuSecondOfFloor ?? Number.NaN)
  const repeatable = rowsLike(/(?:)/)
  return rows
    .filter(({ name }) => repeatable.includes(name))
    .sort((a, b) => reached(a) - reached(b))
    .slice(0, count)
    .map(({ name }) => name)
}

const stopped = ({ process: child }: Started): Promise<void> =>
  child.exitCode === null
    ? new Promise((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve()

/** @returns the profile of the row alone, and how many requests it was */
async function profiled(
  name: string,
  server: string,
): Promise<{ profile: CpuProfile; requests: number }> {
  const file = `${name.replace(/\W+/g, '-')}.cpuprofile`
  const profiling = [
    '--cpu-prof',
    '--cpu-prof-interval=250',
    `--cpu-prof-dir=${FOLDER}`,
    `--cpu-prof-name=${file}`,
  ]
  const own = await start([
    ...NODE_FLAGS,
    ...profiling,
    server,
    '--port=0',
    '--controllers=off',
    '--scheduler=off',
    '--nodes=0',
  ])
  try {
    const requested = client(/https?:\S+/.exec(own.line)?.[0] ?? '', 'admin-token')
    await rest([own.pid])
    const { rows, row } = await prepared(requested, name)
    for (const before of rows) await load(before.count, before.inFlight, before.one)
    const begin = process.hrtime.bigint() / 1000n
    let requests = 0
    for (
      const until = performance.now() + SECONDS * 1000;
      performance.now() < until;
      requests += row.count
    ) {
      const done = requests
      const { failed } = await load(row.count, row.inFlight, (i) => row.one(done + i))
      if (failed > 0) throw new Error(`${failed} requests of ${name} failed`)
    }
    const end = process.hrtime.bigint() / 1000n
    await stop(own)
    const profile = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as CpuProfile
    return { profile: { ...profile, from: Number(begin), to: Number(end) }, requests }
  } finally {
    await stop(own)
  }
}

/** @returns the row, and those before it, whose objects it works on */
async function prepared(
  server: ReturnType<typeof client>,
  name: string,
): Promise<{ rows: Row[]; row: Row }> {
  const namespace = 'profiled'
  const create = (path: string, object: object) =>
    server.send('POST', path, { body: JSON.stringify(object) })
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, account)
  const { beforeFanOut } = workload(server, namespace, 1)
  const at = beforeFanOut.findIndex((row) => row.name === name)
  const row = beforeFanOut[at]
  if (row === undefined)
    throw new Error(`the row "${name}" cannot be done again and again, so it has no profile`)
  return { rows: beforeFanOut.slice(0, at), row }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function table(head: string, entries: [string, number][]): string {
  return [
    `| ${head} | of the time |`,
    '|---|---:|',
    ...entries.map(([name, share]) => `| ${name} | ${percent(share)} |`),
  ].join('\n')
}

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const server = await bundleNodeHost()
  const map = new SourceMap(JSON.parse(readFileSync(`${server}.map`, 'utf8')))
  const names = options.only === undefined ? await worst(3) : rowsLike(new RegExp(options.only))
  for (const name of names) {
    const { profile, requests } = await profiled(name, server)
    const { directories, functions, microseconds } = shares(profile, server, map)
    console.log(
      `### ${name}\n\n${Math.round(microseconds / requests)} µs of the main thread for each of ${requests} requests.\n`,
    )
    console.log(
      `${table('directory', directories.slice(0, DIRECTORIES))}\n\n${table('function, itself', functions.slice(0, FUNCTIONS))}\n`,
    )
  }
}

function rowsLike(wanted: RegExp): string[] {
  const { beforeFanOut } = workload(client('http://127.0.0.1:1', ''), 'none', 1)
  return beforeFanOut.map(({ name }) => name).filter((name) => wanted.test(name))
}

void main()
