/**
 * What an operation costs by how many objects there are: microseconds of processor time, in this process, without a socket.
 * Prints a table in Markdown.
 *
 *   npm run measure -- --only curves
 */
import { isStream } from '../../src/engine/http/messages'
import { median } from '../support/median'
import {
  CONFIG_MAPS,
  configMap,
  fill,
  type MeasuredServer,
  measuredServer,
  textOf,
} from './cluster'

const SIZES = [1_000, 10_000, 100_000]
/** At least so long is measured, so that the collector has its share in every figure. */
const SECONDS = 0.2
/** Number of measurements. The median is reported, because other work disturbs single ones. */
const TIMES = 5

interface Operation {
  name: string
  /** What is divided by; a request if absent. */
  per?(size: number): number
  unit?: string
  prepare?(server: MeasuredServer, size: number): Promise<(i: number) => Promise<unknown>>
  run?(server: MeasuredServer, size: number, i: number): Promise<unknown>
}

/** Spreads requests over all objects without requesting neighbors. */
const spread = (i: number, size: number) => (i * 7919) % size

const list = (query: string) => async (server: MeasuredServer) =>
  server.sendRequest({ method: 'GET', target: `${CONFIG_MAPS}?${query}` })

const get = (server: MeasuredServer, i: number) =>
  server.sendRequest({ method: 'GET', target: `${CONFIG_MAPS}/c-${i}` })

/** So many of all objects are requested again and again, far apart from each other. */
const USUAL = 1_000

const OPERATIONS: Operation[] = [
  { name: 'get of one of all', run: (server, size, i) => get(server, spread(i, size)) },
  {
    name: 'get of one of 1,000 that are requested repeatedly',
    run: (server, size, i) => get(server, spread(i, USUAL) * (size / USUAL)),
  },
  { name: 'first page of 100', run: list('limit=100') },
  {
    name: 'page of 100 in the middle',
    async prepare(server, size) {
      const half = JSON.parse(textOf(await list(`limit=${size / 2}`)(server))) as {
        metadata: { continue: string }
      }
      const query = `limit=100&continue=${half.metadata.continue}`
      return () => list(query)(server)
    },
  },
  {
    name: 'list of one name by field selector',
    run: (server, size, i) => list(`fieldSelector=metadata.name%3Dc-${spread(i, size)}`)(server),
  },
  {
    name: 'list by a label that 1 % have',
    unit: 'object returned',
    per: (size) => size / 100,
    run: list('labelSelector=shard%3Ds7'),
  },
  { name: 'list of everything', unit: 'object returned', per: (size) => size, run: list('') },
  {
    name: 'watch: opened and left',
    async prepare(server) {
      const { metadata } = JSON.parse(textOf(await list('limit=1')(server))) as {
        metadata: { resourceVersion: string }
      }
      const target = `${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`
      return async () => {
        const { body } = await server.sendRequest({ method: 'GET', target })
        if (isStream(body))
          body.start({ write: () => true, end: () => undefined, abort: () => undefined })()
      }
    },
  },
  {
    name: 'create and delete',
    async run(server, size, i) {
      const name = size + i
      await server.sendRequest({ method: 'POST', target: CONFIG_MAPS, body: configMap(name) })
      await server.sendRequest({ method: 'DELETE', target: `${CONFIG_MAPS}/c-${name}` })
    },
  },
  {
    name: 'merge patch',
    run: (server, size, i) =>
      server.sendRequest({
        method: 'PATCH',
        target: `${CONFIG_MAPS}/c-${spread(i, size)}`,
        type: 'application/merge-patch+json',
        body: { data: { n: `patched ${i}` } },
      }),
  },
  {
    name: 'apply that changes an object',
    run: (server, size, i) =>
      server.sendRequest({
        method: 'PATCH',
        target: `${CONFIG_MAPS}/c-${spread(i, size)}?fieldManager=measure&force=true`,
        type: 'application/apply-patch+yaml',
        body: configMap(spread(i, size), `applied ${i}`),
      }),
  },
  // The last: what it makes takes memory next to the server's.
  {
    name: 'for comparison: one of as many objects in a Map, as JSON',
    prepare: (server, size) => yardstick(size, server),
  },
]

/**
 * The yardstick of a get: as many objects in a Map, found by a key that is made for it, and written as JSON. What that costs more
 * among many than among few is what the processor waits for memory.
 */
async function yardstick(
  size: number,
  server: MeasuredServer,
): Promise<(i: number) => Promise<unknown>> {
  const objects = new Map<string, unknown>()
  for (let i = 0; i < size; i++)
    objects.set(`${CONFIG_MAPS}/c-${i}`, JSON.parse(textOf(await get(server, i))))
  return async (i) => JSON.stringify(objects.get(`${CONFIG_MAPS}/c-${spread(i, size)}`))
}

/** Microseconds of processor time of one run. */
async function cost(run: (i: number) => Promise<unknown>): Promise<number> {
  let i = 0
  const runs = async (count: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let done = 0; done < count; done++) await run(i++)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  for (const warm = performance.now() + 300; performance.now() < warm; ) await run(i++)
  let count = 1
  while ((await runs(count)) / 1e6 < SECONDS) count *= 2
  const measured: number[] = []
  while (measured.length < TIMES) measured.push((await runs(count)) / count)
  return median(measured)
}

const shown = (microseconds: number): string =>
  microseconds < 10 ? microseconds.toFixed(2) : microseconds.toFixed(0)

async function main(): Promise<void> {
  const cells = new Map<string, string[]>(
    OPERATIONS.map(({ name, unit }) => [unit ? `${name}, for each ${unit}` : name, []]),
  )
  for (const size of SIZES) {
    const server = measuredServer()
    await fill(server, CONFIG_MAPS, size, configMap)
    for (const { name, unit, per, prepare, run } of OPERATIONS) {
      const one =
        (await prepare?.(server, size)) ??
        ((i: number) => run?.(server, size, i) ?? Promise.resolve())
      const microseconds = (await cost(one)) / (per?.(size) ?? 1)
      cells.get(unit ? `${name}, for each ${unit}` : name)?.push(shown(microseconds))
    }
    await server.api.close()
  }
  console.log(
    `| operation | ${SIZES.map((size) => `${size.toLocaleString('en')} objects`).join(' | ')} |`,
  )
  console.log(`|---|${SIZES.map(() => '---:|').join('')}`)
  for (const [name, row] of cells) console.log(`| ${name} | ${row.join(' | ')} |`)
}

void main()
