/** An etcd process for one test: free ports of 127.0.0.1 and a temporary data directory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_ETCD, provideEtcd } from '../../scripts/find-etcd'
import { EtcdClient } from '../../src/hosts/node/etcd/client'

/** Another program may take a free port before etcd binds it. */
const ATTEMPTS = 5

export class Etcd {
  private process: ChildProcess | undefined
  private backups = 0
  private readonly folder = mkdtempSync(join(tmpdir(), 'kubetab-etcd-'))

  private constructor(
    private readonly client: number,
    private readonly peer: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /**
   * Creates the data directory.
   * @param settings flags in addition to those that this class sets
   * @throws Error if etcd is missing and cannot be installed
   */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Etcd> {
    if (!provideEtcd()) throw new Error(NO_ETCD)
    for (let attempt = 1; ; attempt++) {
      const etcd = new Etcd(await freePort(), await freePort(), settings)
      try {
        await etcd.run()
        return etcd
      } catch (error) {
        const hasEnded = etcd.process?.exitCode !== null
        await etcd.remove()
        if (!hasEnded || attempt === ATTEMPTS) throw error
      }
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.client}`
  }

  get pid(): number {
    return this.process?.pid ?? 0
  }

  /** Starts etcd, or restarts it over the same data. */
  async run(): Promise<void> {
    const peer = `http://127.0.0.1:${this.peer}`
    const flags = {
      'data-dir': join(this.folder, 'data'),
      'listen-client-urls': this.url,
      'advertise-client-urls': this.url,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
      'log-level': 'error',
      // A single member can elect itself after a short timeout.
      'heartbeat-interval': '10',
      'election-timeout': '100',
      ...this.settings,
    }
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const process = spawn('etcd', args, { stdio: 'ignore' })
    this.process = process
    const ended = new Promise<never>((_, reject) => {
      process.once('exit', (code) =>
        reject(new Error(`etcd ended with ${code} before it was ready on ${this.url}`)),
      )
    })
    const probe = new EtcdClient([this.url])
    try {
      await Promise.race([probe.range({ key: 'ready' }, 20_000), ended])
    } finally {
      ended.catch(() => {})
      probe.close()
    }
  }

  /** Kills the process, as a crash would. */
  async kill(): Promise<void> {
    const { process } = this
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return
    await new Promise((resolve) => {
      process.once('exit', resolve)
      process.kill('SIGKILL')
    })
  }

  /** Suspends the process; its connections stay open. */
  suspend(): void {
    this.process?.kill('SIGSTOP')
    // On a busy machine the signal takes effect only after each thread is scheduled.
    for (const until = performance.now() + 1_000; !this.remains() && performance.now() < until; );
  }

  private remains(): boolean {
    const stat = `/proc/${this.pid}/stat`
    return !existsSync(stat) || readFileSync(stat, 'utf8').split(') ')[1]?.startsWith('T') === true
  }

  resume(): void {
    this.process?.kill('SIGCONT')
  }

  /** Removes the data. The next start creates a new cluster. */
  discard(): void {
    rmSync(join(this.folder, 'data'), { recursive: true, force: true })
  }

  /** Stops etcd and copies its data, like an offline backup. @returns the copy, for `goBackTo` */
  async backUp(): Promise<string> {
    await this.kill()
    const copy = join(this.folder, `backup-${++this.backups}`)
    cpSync(join(this.folder, 'data'), copy, { recursive: true })
    await this.run()
    return copy
  }

  /** Restores a copy. Later writes are lost. */
  async goBackTo(copy: string): Promise<void> {
    await this.kill()
    this.discard()
    cpSync(copy, join(this.folder, 'data'), { recursive: true })
    await this.run()
  }

  /**
   * Calls the JSON gateway directly, such as `/v3/kv/compaction`. @throws Error if etcd rejects the
   * call
   */
  async call(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`etcd: ${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }

  /** Compacts up to the current revision. @returns the revision */
  async compact(): Promise<number> {
    const { header } = await this.call('/v3/kv/range', { key: 'AA==', keys_only: true })
    const { revision } = header as { revision: string }
    await this.call('/v3/kv/compaction', { revision })
    return Number(revision)
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
