/**
 * The durable half of a simulated store: a log that several engines write to, as through IndexedDB or a file. Each of its responses
 * takes as many turns of the schedule as chance will have it; some commits fail, and some succeed but are reported as failed.
 */
import type {
  CommitBackend,
  CommitBatch,
  CommittedChange,
  RequestRecord,
  Snapshot,
} from '../../src/engine/storage/backend'
import { FencedError } from '../../src/engine/storage/storage'
import type { VersionId } from '../../src/engine/storage/versions'
import type { Chance } from './chance'
import type { Schedule } from './schedule'

/** What a commit may come to, by how often. */
export interface Faults {
  /** Nothing is written, and the engine gets an error. */
  rejected: number
  /** It is written, but the engine gets an error. */
  lost: number
  /** It takes many turns. */
  slow: number
}

interface Kept {
  change: Omit<CommittedChange, 'object'>
  /** As bytes would be: no one shares an object with the log. */
  text: string | undefined
}

/** Whether an engine is still there: a dead one hears nothing more. */
export interface Lifetime {
  dead: boolean
  /** Resolves when it dies. */
  death: Promise<void>
}

const never = new Promise<never>(() => undefined)

export class SharedLog {
  revision = 1
  private compacted = 0
  private kept: Kept[] = []
  private requests: RequestRecord[] = []
  private readonly others = new Map<Lifetime, () => void>()
  private commits = 0
  /** None while undefined. */
  faults: Faults | undefined

  /** @param committed called with every change when it becomes durable */
  constructor(
    private readonly schedule: Schedule,
    private readonly chance: Chance,
    private readonly committed: (change: CommittedChange) => void,
  ) {}

  backend(life: Lifetime): CommitBackend {
    return {
      commit: (batch) => this.alive(life, this.commit(life, batch)),
      load: (after) => this.alive(life, this.load(after)),
      compact: (revision, versions) => this.alive(life, this.compact(revision, versions)),
      current: async () => {
        await this.schedule.turns(1 + this.chance.below(2))
        return life.dead ? never : this.revision
      },
      onForeignCommit: (run) => void this.others.set(life, run),
      close: () => void this.others.delete(life),
    }
  }

  /** The dead get no response. */
  private async alive<Result>(life: Lifetime, work: Promise<Result>): Promise<Result> {
    try {
      const result = await work
      return life.dead ? never : result
    } catch (error) {
      if (life.dead) return never
      throw error
    }
  }

  protected async commit(life: Lifetime, batch: CommitBatch): Promise<void> {
    const { faults, chance, schedule } = this
    const number = this.commits++
    await Promise.race([schedule.turns(faults && chance.happens(faults.slow) ? 20 : 1), life.death])
    // What was on its way when its engine died may be in the hands of the system: before anyone else writes, or never.
    if (life.dead && chance.happens(0.5)) return never
    if (faults && chance.happens(faults.rejected))
      throw new Error(`commit ${number} failed, for a test`)
    this.write(life, batch)
    await schedule.turns(1)
    if (faults && chance.happens(faults.lost))
      throw new Error(`commit ${number} was made, but is reported as failed, for a test`)
  }

  protected write(life: Lifetime, { from, to, changes, requests }: CommitBatch): void {
    if (this.revision !== from)
      throw new FencedError(`the store is at ${this.revision}, not at ${from}`)
    for (const change of changes) {
      const { object, ...rest } = change
      this.kept.push({ change: rest, text: object && JSON.stringify(object) })
      this.committed(change)
    }
    this.requests.push(...requests)
    this.revision = to
    for (const [other, run] of this.others) if (other !== life) void this.news(other, run)
  }

  private async news(other: Lifetime, run: () => void): Promise<void> {
    await this.schedule.turns(1 + this.chance.below(4))
    if (!other.dead) run()
  }

  private async load(after = -1): Promise<Snapshot> {
    await this.schedule.turns(1)
    const complete = after < this.compacted || after > this.revision
    const from = complete ? this.compacted : after
    const changes = this.kept
      .filter(({ change }) => complete || change.revision > after)
      .map(({ change, text }) => ({
        ...change,
        object: text === undefined ? undefined : JSON.parse(text),
      }))
    const snapshot: Snapshot = {
      revision: this.revision,
      compacted: this.compacted,
      complete,
      changes,
      requests: this.requests.filter(({ revision }) => revision > from),
    }
    await this.schedule.turns(1)
    return snapshot
  }

  private async compact(revision: number, versions: VersionId[]): Promise<void> {
    await this.schedule.turns(1)
    if (this.compacted >= revision) return
    const discarded = new Set(versions.map((version) => `${version.revision} ${version.key}`))
    this.kept = this.kept.filter(({ change }) => !discarded.has(`${change.revision} ${change.key}`))
    this.requests = this.requests.filter((request) => request.revision > revision)
    this.compacted = revision
  }
}
