/**
 * Measures one, two and four hosts over one etcd, next to one host that keeps everything in memory: creations, reads and lists, spread
 * evenly over the hosts.
 *
 *   npm run bench:hosts                 prints the table (`npm run measure -- --only hosts` writes it into docs/measurements.md)
 *   npm run bench:hosts -- --count 500  so many of each; 4,000 otherwise
 *
 * Everything runs on one machine. So the processor time of a request at the hosts and at etcd counts: the number of requests that
 * one processor can serve follows from it. Requests per second of the clock hold for this machine only.
 */
import { parseArgs } from 'node:util'
import { bundleNodeHost, NODE_FLAGS } from '../../scripts/bundle-host'
import { Etcd } from '../etcd/etcd'
import { end, type Host, startHosts } from '../etcd/hosts'
import { cpuSeconds, residentMebibytes, rest, start } from '../support/processes'
import { type Client, client, load } from './client'

const { values } = parseArgs({ options: { count: { type: 'string' } } })
const COUNT = Number(values.count ?? 4_000)
const IN_FLIGHT = 32
/** Before anything is measured: so much of each kind of request at every host. */
const WARM_UP = Math.ceil(COUNT / 4)
const LISTED = 100
const PATH = '/api/v1/namespaces/default/configmaps'
const LISTED_PATH = '/api/v1/namespaces/kube-public/configmaps'

const body = (name: string): string =>
  JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name },
    data: { value: 'x'.repeat(1000) },
  })

interface Measured {
  perSecond: number
  /** Microseconds of processor time a request: of all hosts together, and of etcd. */
  hosts: number
  etcd: number
  p50: number
}

interface Row {
  what: string
  create: Measured
  get: Measured
  list: Measured
  /** Of all hosts together. */
  memory: number
}

class Bench {
  private made = 0

  constructor(
    private readonly clients: Client[],
    private readonly hostPids: number[],
    private readonly etcdPids: number[],
  ) {}

  private client(i: number): Client {
    return this.clients[i % this.clients.length] as Client
  }

  async prepare(): Promise<void> {
    for (let i = 0; i < LISTED; i++)
      await this.client(i).send('POST', LISTED_PATH, { body: body(`listed-${i}`) })
    const count = WARM_UP * this.clients.length
    await this.create(count)
    await this.get(count)
    await this.list(count / 10)
    await rest([...this.hostPids, ...this.etcdPids], 5_000)
  }

  create(count: number): Promise<Measured> {
    const from = this.made
    this.made += count
    return this.measured(count, (i) =>
      this.client(i).send('POST', PATH, { body: body(`made-${from + i}`) }),
    )
  }

  get(count: number): Promise<Measured> {
    return this.measured(count, (i) =>
      this.client(i).send('GET', `${PATH}/made-${(i * 7) % this.made}`),
    )
  }

  list(count: number): Promise<Measured> {
    return this.measured(count, (i) => this.client(i).send('GET', LISTED_PATH))
  }

  private async measured(count: number, one: Parameters<typeof load>[2]): Promise<Measured> {
    const before = [cpuSeconds(this.hostPids), cpuSeconds(this.etcdPids)] as const
    const { perSecond, p50, failed } = await load(count, IN_FLIGHT, one)
    if (failed > 0) throw new Error(`${failed} of ${count} requests failed`)
    const used = (pids: number[], start: number) => ((cpuSeconds(pids) - start) / count) * 1e6
    return {
      perSecond,
      p50,
      hosts: used(this.hostPids, before[0]),
      etcd: used(this.etcdPids, before[1]),
    }
  }
}

async function measure(
  what: string,
  urls: string[],
  hostPids: number[],
  etcdPids: number[],
): Promise<Row> {
  const bench = new Bench(
    urls.map((url) => client(url, 'admin-token')),
    hostPids,
    etcdPids,
  )
  await bench.prepare()
  const [create, get, list] = [
    await bench.create(COUNT),
    await bench.get(COUNT),
    await bench.list(COUNT / 4),
  ]
  return { what, create, get, list, memory: residentMebibytes(hostPids) }
}

async function alone(): Promise<Row> {
  const started = await start([
    ...NODE_FLAGS,
    await bundleNodeHost(),
    '--port=0',
    '--warm-up=off',
    '--controllers=off',
  ])
  const host: Host = { name: 'memory', started, url: /http:\S+/.exec(started.line)?.[0] ?? '' }
  try {
    return await measure('one host, in memory', [host.url], [started.pid], [])
  } finally {
    await end(host)
  }
}

async function over(count: number): Promise<Row> {
  const etcd = await Etcd.start()
  const hosts = await startHosts(count, etcd.url, '--controllers=off')
  try {
    const name = `${count === 1 ? 'one host' : `${count} hosts`}, over etcd`
    return await measure(
      name,
      hosts.map(({ url }) => url),
      hosts.map(({ started }) => started.pid),
      [etcd.pid],
    )
  } finally {
    await Promise.all(hosts.map((host) => end(host)))
    await etcd.remove()
  }
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

function table(rows: Row[]): string {
  const cell = ({ perSecond, hosts, etcd, p50 }: Measured) =>
    `${number(perSecond)} /s · ${number(hosts)} + ${number(etcd)} µs · ${p50.toFixed(1)} ms`
  const lines = rows.map(
    ({ what, create, get, list, memory }) =>
      `| ${what} | ${cell(create)} | ${cell(get)} | ${cell(list)} | ${number(memory)} MiB |`,
  )
  return [
    `| | create, 1 KB | get | list of ${LISTED} | memory of all hosts |`,
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

const rows = [await alone(), await over(1), await over(2), await over(4)]
console.log(`Each cell: requests a second of the clock · processor time a request, at the hosts together + at etcd · median response time.
${number(COUNT)} requests, ${IN_FLIGHT} in flight, spread evenly over the hosts; all processes on one machine.

${table(rows)}`)
