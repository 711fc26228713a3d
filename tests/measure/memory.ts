/**
 * What an object costs in memory beyond its encoded size, when it is stored and when it has been requested. Prints a table in
 * Markdown. Needs `--expose-gc`.
 *
 *   npm run measure -- --only memory
 */
import { execFileSync } from 'node:child_process'
import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  deployment,
  fill,
  measuredServer,
  PODS,
  pod,
  textOf,
  withServiceAccount,
} from './cluster'

const COUNT = 10_000

const KINDS: [name: string, target: string, object: (i: number) => object][] = [
  ['ConfigMap', CONFIG_MAPS, (i) => configMap(i)],
  ['Pod', PODS, pod],
  ['Deployment', DEPLOYMENTS, (i) => deployment(i)],
]

function heap(): number {
  const { gc } = globalThis as { gc?: () => void }
  if (gc === undefined) throw new Error('run with --expose-gc')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const bytes = (count: number): string => Math.round(count).toLocaleString('en')

async function row([kind, target, object]: (typeof KINDS)[number]): Promise<string> {
  const server = measuredServer()
  await withServiceAccount(server)
  // Memory used once for a kind does not belong to an object.
  await fill(server, target, 50, (i) => object(COUNT + i))
  const before = heap()
  await fill(server, target, COUNT, object)
  const stored = (heap() - before) / COUNT
  let encoded = 0
  for (let i = 0; i < COUNT; i++) {
    const { metadata } = object(i) as { metadata: { name: string } }
    encoded +=
      textOf(await server.sendRequest({ method: 'GET', target: `${target}/${metadata.name}` }))
        .length / COUNT
  }
  const requested = (heap() - before) / COUNT
  await server.sendRequest({ method: 'GET', target })
  const listed = (heap() - before) / COUNT
  await server.api.close()
  return `| ${kind} | ${bytes(encoded)} | ${bytes(stored)} | ${bytes(encoded * 1.5 + 1024)} | ${bytes(requested)} | ${bytes(listed)} |`
}

/** Each kind in a process of its own: what one leaves behind must not count as the next one's. */
async function main(only: string | undefined): Promise<void> {
  const kind = KINDS.find(([name]) => name === only)
  if (kind) return console.log(await row(kind))
  console.log(
    '| kind | encoded, bytes | in memory | goal | after a get of every object | after a list of all |',
  )
  console.log('|---|---:|---:|---:|---:|---:|')
  const script = process.argv[1] ?? ''
  for (const [name] of KINDS)
    execFileSync(process.execPath, [...process.execArgv, script, name], { stdio: 'inherit' })
}

void main(process.argv[2])
