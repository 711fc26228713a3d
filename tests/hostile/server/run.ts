/**
 * Sends each hostile request to a headless server of its own, while another client repeats a small request, and
 * prints how long the request took, the most memory of the server, and the longest that the other client waited.
 *
 *   npm run hostile:server                 everything
 *   npm run hostile:server -- quantity     requests whose name has that in it
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleNodeHost, NODE_FLAGS } from '../../../scripts/bundle-host'
import { type Client, client } from '../../bench/client'
import { cpuSeconds, rest, start, stop } from '../../support/processes'
import { HOSTILE_REQUESTS, type HostileRequest, LIMITED } from './requests'

/** The memory that a server may take, in MiB, and how long it and others may wait, in milliseconds. */
const MOST_MEMORY = 300
const LONGEST_RESPONSE = 1000
const LONGEST_WAIT = 1000
/** Work of the controllers after the response counts for this long. */
const AFTERWARDS = 5000

const ADMIN = 'admin-token'
const TOKENS = `${ADMIN},admin,admin-uid,"system:masters"\n${LIMITED.token},${LIMITED.user},limited-uid\n`

interface Measured extends Outcome {
  milliseconds: number
  /** What the request took of the processor, which other programs do not change. */
  processor: number
  peak: number
  longestWait: number
}

interface Outcome {
  status: number
  /** The server failed: a rejection by size, which etcd's clients see as a 500 of their own, is a response like any other. */
  isFailure: boolean
}

async function measured(
  program: string,
  tokens: string,
  request: HostileRequest,
): Promise<Measured> {
  const flags = ['--port=0', '--warm-up=off', '--nodes=1', `--token-auth-file=${tokens}`]
  const server = await start([...NODE_FLAGS, program, ...flags])
  try {
    const base = /https?:\/\/\S+/.exec(server.line)?.[0] ?? ''
    const admin = client(base, ADMIN)
    for (const { method, path, body, type } of request.before ?? [])
      await sent(admin, { method, path, body, type })
    await rest([server.pid])
    const others = new OtherClient(client(base, ADMIN))
    const used = cpuSeconds([server.pid])
    const begun = performance.now()
    const outcome = await sent(client(base, request.token ?? ADMIN), request)
    const milliseconds = performance.now() - begun
    const processor = (cpuSeconds([server.pid]) - used) * 1000
    await new Promise((resolve) => setTimeout(resolve, AFTERWARDS))
    return {
      ...outcome,
      milliseconds,
      processor,
      longestWait: await others.end(),
      peak: peakMebibytes(server.pid),
    }
  } finally {
    await stop(server)
  }
}

type Sent = Pick<HostileRequest, 'method' | 'path' | 'body'> & { type?: string | undefined }

const TOO_LARGE = 'etcdserver: request is too large'

async function sent(to: Client, { method, path, body, type }: Sent): Promise<Outcome> {
  const { status, text } = await to.send(
    method,
    path,
    type === undefined ? { body } : { body, type },
  )
  return { status, isFailure: status >= 500 && JSON.parse(text()).message !== TOO_LARGE }
}

/** Reads a namespace every few milliseconds. */
class OtherClient {
  private longest = 0
  private isEnding = false
  private readonly running: Promise<void>

  constructor(private readonly client: Client) {
    this.running = this.run()
  }

  /** @returns the longest response time, in milliseconds */
  async end(): Promise<number> {
    this.isEnding = true
    await this.running
    return this.longest
  }

  private async run(): Promise<void> {
    while (!this.isEnding) {
      const begun = performance.now()
      const { status } = await this.client.send('GET', '/api/v1/namespaces/default')
      if (status !== 200) throw new Error(`another request returned ${status}`)
      this.longest = Math.max(this.longest, performance.now() - begun)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** The most memory that a process ever had resident. */
function peakMebibytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

const [filter = ''] = process.argv.slice(2)
const chosen = HOSTILE_REQUESTS.filter(({ name }) => name.includes(filter))
const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
const tokens = join(folder, 'tokens.csv')
writeFileSync(tokens, TOKENS)
let exceeded = 0
try {
  const program = await bundleNodeHost()
  console.log(
    '| request | KB | status | ms | processor, ms | peak, MiB | longest wait of others, ms | |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---|')
  for (const request of chosen) {
    const { status, isFailure, milliseconds, processor, peak, longestWait } = await measured(
      program,
      tokens,
      request,
    )
    // Time beyond what the server used of the processor is the work of other programs.
    const own = (waited: number) => Math.min(waited, processor)
    const isBeyond =
      isFailure ||
      peak > MOST_MEMORY ||
      own(milliseconds) > LONGEST_RESPONSE ||
      own(longestWait) > LONGEST_WAIT
    if (isBeyond) exceeded++
    const figures = [
      request.body.length / 1000,
      status,
      milliseconds,
      processor,
      peak,
      longestWait,
    ].map((figure) => Math.round(figure))
    console.log(`| ${request.name} | ${figures.join(' | ')} | ${isBeyond ? 'beyond' : ''} |`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
console.log(
  `${chosen.length} requests; beyond ${MOST_MEMORY} MiB or ${LONGEST_WAIT} ms: ${exceeded}`,
)
process.exitCode = chosen.length > 0 && exceeded === 0 ? 0 : 1
