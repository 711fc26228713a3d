/**
 * The network as the program of a container reaches it over time. Programs are simulated from their
 * start again whenever a kubelet syncs their pod. A journal has the results of what a run has done
 * in the network so far, so that each use happens once, at its time.
 *
 * A loop whose round leaves the script as it was needs no results of earlier rounds: the journal
 * keeps where the loop goes on, and the latest lines of its output.
 */
import type { Line } from '../script/line'
import { Waits } from '../script/signals'
import type {
  Client,
  HttpRequest,
  HttpResponse,
  LiveClient,
  OpenConnection,
  RecordType,
} from './client'

interface Use {
  /** What was done, and with which arguments. */
  name: string
  result: unknown
}

/** Where a loop goes on that has come back to an earlier state. */
interface Mark {
  state: string
  /** The number of uses before the first round with this state. */
  used: number
  at: number
  rounds: number
  lines: readonly Line[]
}

export class Journal {
  readonly uses: Use[] = []
  marks: Mark[] = []
  /** The request to the API server whose response has not arrived yet. */
  pending: Promise<void> | undefined
  /** Lines that the program logs about requests of others, by milliseconds since the epoch. */
  readonly printed: { at: number; text: string }[] = []
  /** What the program keeps in memory. */
  readonly memory = new Map<string, unknown>()
  /** Called after each use, and after each line. */
  readonly listeners = new Set<() => void>()
}

/** Keeps the latest lines. */
export function print(journal: Journal, at: number, text: string): void {
  journal.printed.push({ at, text })
  if (journal.printed.length > MOST_LINES) journal.printed.splice(0, MOST_LINES / 10)
  for (const listener of journal.listeners) listener()
}

/** Performs what no journal has yet. */
export interface Live {
  /** Seconds since the start of the program. */
  until: number
  client: LiveClient
  /** Called when a response of the API server has arrived. */
  onResponse?(): void
}

export interface Reach {
  journal: Journal
  /** Absent: the program is only looked at. */
  live?: Live | undefined
}

/** Uses of the network in one sync of a pod. */
const MOST_USES = 200
const MOST_LINES = 1_000

interface Round {
  state: string
  used: number
  /** Lines of output before it. */
  lines: number
  mark?: Mark
}

/** The network of one simulated run. */
export class RecordedClient implements Client {
  /** Uses in this simulation, of which a loop can repeat some. */
  count = 0
  /** The next use in the journal. */
  private used = 0
  private performed = 0
  private readonly rounds: Round[] = []
  private readonly byState = new Map<string, number>()

  constructor(
    private readonly reach: Reach,
    private readonly now: () => number,
  ) {}

  get servers(): readonly string[] {
    return this.use('servers', [], (client) => client.servers)
  }

  lookUp(name: string, type?: RecordType) {
    return this.use('lookUp', [name, type], (client) => client.lookUp(name, type))
  }

  addressOf(host: string) {
    return this.use('addressOf', [host], (client) => client.addressOf(host))
  }

  connect(ip: string, port: number, protocol?: 'TCP' | 'UDP') {
    const args = [ip, port, protocol]
    return this.use('connect', args, (client) => client.connect(ip, port, protocol))
  }

  request(target: OpenConnection, request: HttpRequest) {
    return this.use('request', [request], (client) => client.request(target, request))
  }

  datagram(target: OpenConnection, text: string) {
    return this.use('datagram', [text], (client) => client.datagram(target, text))
  }

  /** @throws Waits until the result of the network is known for a result of the future */
  private use<Result>(
    what: string,
    args: readonly unknown[],
    perform: (client: LiveClient) => Result,
  ): Result {
    const name = JSON.stringify([what, ...args])
    const known = this.known<Result>(name)
    if (known) return known.result
    const result = perform(this.liveNow().client)
    this.keep({ name, result })
    this.count++
    this.used++
    return result
  }

  /** The response arrives later: the program waits, and is simulated again. */
  callApi(request: HttpRequest): HttpResponse | undefined {
    const { journal } = this.reach
    const name = JSON.stringify(['callApi', request])
    const known = this.known<HttpResponse | undefined>(name)
    if (known) return known.result
    if (journal.pending !== undefined) throw new Waits(Number.POSITIVE_INFINITY)
    const live = this.liveNow()
    journal.pending = live.client
      .callApi(request)
      .catch(() => undefined)
      .then((result) => {
        journal.pending = undefined
        this.keep({ name, result })
        live.onResponse?.()
      })
    throw new Waits(Number.POSITIVE_INFINITY)
  }

  private known<Result>(name: string): { result: Result } | undefined {
    const found = this.reach.journal.uses[this.used]
    if (found?.name !== name) return undefined
    this.count++
    this.used++
    return found as { result: Result }
  }

  /** @throws Waits */
  private liveNow(): Live {
    const { live } = this.reach
    if (live === undefined || live.until < this.now() || this.performed >= MOST_USES)
      throw new Waits(this.now())
    this.performed++
    return live
  }

  /** A program that does something else than before has no later results. */
  private keep(use: Use): void {
    const { uses, listeners } = this.reach.journal
    uses.splice(this.used, uses.length, use)
    for (const listener of listeners) listener()
  }

  /**
   * The start of a round of a loop.
   * @param state the loop and the state of the script
   * @returns where the loop goes on; undefined if it has not been further
   */
  round(state: string, lines: readonly Line[], rounds: number): Mark | 'again' | undefined {
    const { journal, live } = this.reach
    const first = this.byState.get(state)
    if (first === undefined) {
      const marked = this.rounds.filter(({ mark }) => mark).length
      const next = journal.marks[marked]
      const mark = next?.state === state && next.used === this.used ? next : undefined
      this.byState.set(state, this.rounds.length)
      this.rounds.push({ state, used: this.used, lines: lines.length, ...(mark && { mark }) })
      return mark
    }
    const round = this.rounds[first]
    if (live === undefined || round === undefined || round.used === this.used) return undefined
    for (const { state: later } of this.rounds.splice(first + 1)) this.byState.delete(later)
    journal.uses.splice(round.used, this.used - round.used)
    this.used = round.used
    round.mark = {
      state,
      used: this.used,
      at: this.now(),
      rounds,
      lines: lines.slice(Math.max(round.lines, lines.length - MOST_LINES)),
    }
    journal.marks = this.rounds.flatMap(({ mark }) => (mark ? [mark] : []))
    return 'again'
  }
}
