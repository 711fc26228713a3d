/** An etcd of its own for a test: on free ports of 127.0.0.1, in a folder that goes with it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_ETCD, provideEtcd } from '../../scripts/find-etcd'
import { EtcdClient } from '../../src/hosts/node/etcd/client'

/** A port that was free may be another program's a moment later. */
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
   * @param settings flags next to those that this class gives
   * @throws Error if there is no etcd and none can be installed
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

  /** Starts it, or starts it again over the same data. */
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
      // Alone it need not wait long for others before it leads.
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

  /** As a crash would end it. */
  async kill(): Promise<void> {
    const { process } = this
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return
    await new Promise((resolve) => {
      process.once('exit', resolve)
      process.kill('SIGKILL')
    })
  }

  /** It stops answering, its connections standing. */
  suspend(): void {
    this.process?.kill('SIGSTOP')
    // On a busy machine it runs on until one of its threads gets its turn, and takes the signal.
    for (const until = performance.now() + 1_000; !this.stands() && performance.now() < until; );
  }

  private stands(): boolean {
    const stat = `/proc/${this.pid}/stat`
    return !existsSync(stat) || readFileSync(stat, 'utf8').split(') ')[1]?.startsWith('T') === true
  }

  resume(): void {
    this.process?.kill('SIGCONT')
  }

  /** Removes its data: it then begins as another. */
  forget(): void {
    rmSync(join(this.folder, 'data'), { recursive: true, force: true })
  }

  /** Copies its data, as an administrator does who stops it first. @returns the copy, for `goBackTo` */
  async backUp(): Promise<string> {
    await this.kill()
    const copy = join(this.folder, `backup-${++this.backups}`)
    cpSync(join(this.folder, 'data'), copy, { recursive: true })
    await this.run()
    return copy
  }

  /** What was written since the copy is gone. */
  async goBackTo(copy: string): Promise<void> {
    await this.kill()
    this.forget()
    cpSync(copy, join(this.folder, 'data'), { recursive: true })
    await this.run()
  }

  /** Calls its JSON gateway, past every host: `/v3/kv/compaction`. @throws Error for what it rejects */
  async call(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`etcd: ${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }

  /** Discards history up to where it stands. @returns the revision */
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
