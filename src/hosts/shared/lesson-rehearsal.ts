/**
 * Runs a lesson without a learner: on a separate cluster in memory with simulated time, it sends
 * the solutions' requests and evaluates the checks.
 */

import { parseTokenFile } from '../../engine/authentication/static-tokens'
import { SimulatedClock, seededRandom } from '../../engine/core/environment'
import { append } from '../../engine/core/lists'
import { entryOf, type JsonObject, type KubeObject } from '../../engine/core/object'
import { isStream } from '../../engine/http/messages'
import { loadTables } from '../../engine/release-tables/load-tables'
import { DEFAULT_RELEASE, parseRelease, type Release } from '../../engine/releases/release'
import { type ApiServer, createApiServer } from '../../engine/server/server'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import { auditPolicyOf } from '../../engine/telemetry/audit/policy'
import { byPeople, checkStep, type Evidence, isDone, type SeenRequest } from '../../lessons/check'
import { filled } from '../../lessons/fill'
import type { Lesson, Move } from '../../lessons/lesson'
import { releaseFor } from '../../lessons/releases'
import { startObjects } from '../../lessons/start'
import { FIRST_SETTINGS, optionsOf } from './engine-settings'
import { nextTurn } from './environment'
import { FIRST_POLICY } from './recent-requests'
import { PAGE_TOKENS } from './tokens'

const TOKENS = new Map([...parseTokenFile(PAGE_TOKENS)].map(([token, { name }]) => [name, token]))
/** Simulated seconds in which controllers react to a move. */
const SECONDS_PER_MOVE = 5
const TURNS_PER_SECOND = 20
const CHECKER = 'lesson-check'

type Turn = (run: () => void) => void

interface Setting {
  turn: Turn
  release: Release
}

class Classroom {
  private readonly clock = new SimulatedClock()
  private readonly audit: AuditEvent[] = []
  private readonly events: JsonObject[] = []
  private readonly failures: string[] = []
  private readonly api: ApiServer

  private constructor(
    private readonly turn: Turn,
    release: Release,
  ) {
    this.api = createApiServer({
      ...optionsOf({ ...FIRST_SETTINGS, release }),
      clock: this.clock,
      random: seededRandom(1),
      log: { error: (message, cause) => this.failures.push(`${message}: ${String(cause)}`) },
      storage: createMemoryStorage(),
      tokens: PAGE_TOKENS,
    })
  }

  static async at({ start }: Lesson, { turn, release }: Setting): Promise<Classroom> {
    await loadTables(release)
    const room = new Classroom(turn, release)
    for (const object of startObjects(start.objects)) await room.create(object)
    await room.wait()
    room.api.setAudit({
      policy: auditPolicyOf(FIRST_POLICY),
      sink: (event) => room.audit.push(event),
    })
    return room
  }

  private async create(object: KubeObject): Promise<void> {
    const { apiVersion, kind, metadata } = object
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const { body } = await this.send('admin', 'GET', root)
    const resources = (body.resources ?? []) as {
      name: string
      kind: string
      namespaced: boolean
    }[]
    const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes('/'))
    if (resource === undefined)
      throw new Error(`${apiVersion} ${kind} of the start state is not served`)
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''
    const response = await this.send(
      'admin',
      'POST',
      `${root}${namespace}/${resource.name}`,
      object as unknown as JsonObject,
    )
    if (response.status >= 300)
      throw new Error(
        `${kind} ${metadata.name} of the start state is rejected: ${String(response.body.message)}`,
      )
    await this.wait()
  }

  private async wait(): Promise<void> {
    for (let second = 0; second < SECONDS_PER_MOVE; second++) {
      this.clock.advance(1000)
      // Fired timers send requests, whose responses come in later turns.
      for (let turn = 0; turn < TURNS_PER_SECOND; turn++) await new Promise<void>(this.turn)
    }
  }

  /** @throws Error if the response differs from the expected one */
  async move({
    as = 'admin',
    method,
    path,
    body,
    contentType,
    status,
    watch,
    compact,
  }: Move): Promise<void> {
    const { get } = this.evidence()
    const target = await filled(path, get)
    const sent = body && (JSON.parse(await filled(JSON.stringify(body), get)) as JsonObject)
    if (compact) await this.compact()
    const response = await this.send(as, method, target, sent, contentType, watch)
    const expected = status === undefined ? response.status < 300 : response.status === status
    if (!expected)
      throw new Error(`${method} ${path} got ${response.status}: ${String(response.body.message)}`)
    await this.wait()
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'))
  }

  private async compact(): Promise<void> {
    const body = { metadata: { generateName: 'elsewhere-' } }
    await this.send(
      'admin',
      'POST',
      '/api/v1/namespaces/default/configmaps',
      body,
      'application/json',
      false,
      CHECKER,
    )
    await this.api.storage.compact(this.api.storage.currentRevision())
  }

  evidence(): Evidence {
    const requests = (this.audit as unknown as SeenRequest[]).filter(
      ({ userAgent }) => userAgent !== CHECKER,
    )
    return {
      get: async (path) => {
        const { status, body } = await this.send(
          'admin',
          'GET',
          path,
          undefined,
          undefined,
          false,
          CHECKER,
        )
        return status === 200 ? body : undefined
      },
      requests: byPeople(requests),
      events: this.events,
    }
  }

  private async send(
    who: string,
    method: string,
    target: string,
    object?: JsonObject | readonly JsonObject[],
    contentType = 'application/json',
    watch = false,
    agent = 'learner',
  ): Promise<{ status: number; body: JsonObject }> {
    const bytes =
      object === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(object))
    const token = TOKENS.get(who)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': agent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(object === undefined ? {} : { 'content-type': contentType }),
    }
    const { status, body } = await this.api.handle({
      method,
      target,
      header: (name) => entryOf(headers, name),
      headerNames: () => Object.keys(headers),
      body: async () => bytes,
    })
    if (body !== undefined && isStream(body)) {
      if (!watch) throw new Error(`${target} is a watch: set its watch member`)
      body.start({
        write: (chunk) => this.see(chunk),
        end: () => undefined,
        abort: () => undefined,
      })
      return { status, body: {} }
    }
    return {
      status,
      body: JSON.parse(
        typeof body === 'string' ? body : new TextDecoder().decode(body),
      ) as JsonObject,
    }
  }

  private see(chunk: Uint8Array | string): boolean {
    const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    for (const line of text.split('\n'))
      if (line !== '') this.events.push(JSON.parse(line) as JsonObject)
    return true
  }

  close(): Promise<void> {
    return this.api.close()
  }
}

/** The number of consecutive completed steps. */
async function stepsDone(lesson: Lesson, room: Classroom, begun = 0): Promise<number> {
  let done = begun
  for (const step of lesson.steps.slice(begun)) {
    if (!(await isDone(step, room.evidence()))) break
    done++
  }
  return done
}

/** As `stepsDone`, after the moves. A completed step stays completed. */
async function stepsPlayed(
  lesson: Lesson,
  moves: readonly Move[],
  setting: Setting,
): Promise<number> {
  const room = await Classroom.at(lesson, setting)
  try {
    let done = await stepsDone(lesson, room)
    for (const move of moves) {
      await room.move(move)
      done = await stepsDone(lesson, room, done)
    }
    return done
  } finally {
    await room.close()
  }
}

/**
 * Returns the errors of a lesson; a valid one has none:
 * - No step is complete at the start.
 * - Each step's solution completes it, and not earlier.
 * - The wrong solution does not complete the lesson.
 * @param turn waits for the next turn of the event loop
 * @param release or the newest one for which the lesson holds, if it does not hold for this one
 * @throws Error if the start state or a move is rejected
 */
export async function problemsOf(
  lesson: Lesson,
  turn: Turn = nextTurn,
  release: Release = DEFAULT_RELEASE,
): Promise<string[]> {
  const setting = { turn, release: parseRelease(releaseFor(lesson, release)) ?? release }
  const problems: string[] = []
  const atStart = await stepsPlayed(lesson, [], setting)
  if (atStart > 0) problems.push(`${atStart} of its steps are done before it begins`)
  append(problems, await problemsOfSolution(lesson, setting))
  if ((await stepsPlayed(lesson, lesson.wrong, setting)) === lesson.steps.length)
    problems.push('its wrong solution finishes it')
  return problems
}

async function problemsOfSolution(lesson: Lesson, setting: Setting): Promise<string[]> {
  const problems: string[] = []
  const room = await Classroom.at(lesson, setting)
  try {
    for (const [index, step] of lesson.steps.entries()) {
      if ((await stepsDone(lesson, room, index)) > index)
        problems.push(`"${step.title}" is done before its solution was sent`)
      for (const move of step.solution) await room.move(move)
      for (const { check, holds } of await checkStep(step, room.evidence()))
        if (!holds) problems.push(`"${step.title}": its solution does not reach "${check.says}"`)
    }
    return problems
  } finally {
    await room.close()
  }
}
