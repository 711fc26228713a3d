/** A cluster for a lesson, as the page gives it to a learner, and somebody who sends moves and looks what came of them. */

import { parseManifest } from '../src/app/manifests/documents'
import { parseTokenFile } from '../src/engine/authentication/static-tokens'
import { SimulatedClock, seededRandom } from '../src/engine/environment'
import { isStream } from '../src/engine/http/messages'
import type { JsonObject, KubeObject } from '../src/engine/object'
import type { AuditEvent } from '../src/engine/observation/audit/event'
import { parseAuditPolicy } from '../src/engine/observation/audit/policy'
import { type ApiServer, createApiServer } from '../src/engine/server'
import { createMemoryStorage } from '../src/engine/storage/memory'
import { FIRST_SETTINGS, optionsOf } from '../src/hosts/shared/engine-settings'
import { FIRST_POLICY } from '../src/hosts/shared/recent-requests'
import { PAGE_TOKENS } from '../src/hosts/shared/tokens'
import { byPeople, checkStep, type Evidence, isDone, type SeenRequest } from '../src/lessons/check'
import { filled } from '../src/lessons/fill'
import type { Lesson, Move } from '../src/lessons/lesson'

const TOKENS = new Map([...parseTokenFile(PAGE_TOKENS)].map(([token, { name }]) => [name, token]))
/** So long the cluster's own parts have to react to a move. */
const SECONDS_PER_MOVE = 5
const TURNS_PER_SECOND = 20
const CHECKER = 'lesson-check'

export class Classroom {
  private readonly clock = new SimulatedClock()
  private readonly audit: AuditEvent[] = []
  private readonly events: JsonObject[] = []
  private readonly failures: string[] = []
  private readonly api: ApiServer

  private constructor() {
    this.api = createApiServer({
      ...optionsOf(FIRST_SETTINGS),
      clock: this.clock,
      random: seededRandom(1),
      log: { error: (message, cause) => this.failures.push(`${message}: ${String(cause)}`) },
      storage: createMemoryStorage(),
      tokens: PAGE_TOKENS,
    })
  }

  /** The lesson's start state, with nothing in the audit trail yet. */
  static async at({ start }: Lesson): Promise<Classroom> {
    const room = new Classroom()
    const { documents, problems } = parseManifest(start.objects)
    if (problems.length > 0) throw new Error(`the start state cannot be read: ${problems.map(({ message }) => message).join('; ')}`)
    for (const { value } of documents) await room.create(value as unknown as KubeObject)
    await room.wait()
    room.api.setAudit({ policy: parseAuditPolicy(FIRST_POLICY), sink: (event) => room.audit.push(event) })
    return room
  }

  private async create(object: KubeObject): Promise<void> {
    const { apiVersion, kind, metadata } = object
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const { body } = await this.send('admin', 'GET', root)
    const resources = (body.resources ?? []) as { name: string; kind: string; namespaced: boolean }[]
    const resource = resources.find((entry) => entry.kind === kind && !entry.name.includes('/'))
    if (resource === undefined) throw new Error(`${apiVersion} ${kind} of the start state is not served`)
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''
    const answer = await this.send('admin', 'POST', `${root}${namespace}/${resource.name}`, object as unknown as JsonObject)
    if (answer.status >= 300) throw new Error(`${kind} ${metadata.name} of the start state is refused: ${String(answer.body.message)}`)
    await this.wait()
  }

  private async wait(): Promise<void> {
    for (let second = 0; second < SECONDS_PER_MOVE; second++) {
      this.clock.advance(1000)
      // What fell due asks the API, and is answered in later turns.
      for (let turn = 0; turn < TURNS_PER_SECOND; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** @throws Error when the answer is not the one that the move expects */
  async move({ as = 'admin', method, path, body, contentType, status, watch, compact }: Move): Promise<void> {
    const { get } = this.evidence()
    const target = await filled(path, get)
    const sent = body && (JSON.parse(await filled(JSON.stringify(body), get)) as JsonObject)
    if (compact) await this.forgetPast()
    const answer = await this.send(as, method, target, sent, contentType, watch)
    const expected = status === undefined ? answer.status < 300 : answer.status === status
    if (!expected) throw new Error(`${method} ${path} was answered ${answer.status}: ${String(answer.body.message)}`)
    await this.wait()
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'))
  }

  private async forgetPast(): Promise<void> {
    const body = { metadata: { generateName: 'elsewhere-' } }
    await this.send('admin', 'POST', '/api/v1/namespaces/default/configmaps', body, 'application/json', false, CHECKER)
    await this.api.storage.compact(this.api.storage.currentRevision())
  }

  evidence(): Evidence {
    const requests = (this.audit as unknown as SeenRequest[]).filter(({ userAgent }) => userAgent !== CHECKER)
    return {
      get: async (path) => {
        const { status, body } = await this.send('admin', 'GET', path, undefined, undefined, false, CHECKER)
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
    const bytes = object === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(object))
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
      header: (name) => headers[name],
      headerNames: () => Object.keys(headers),
      body: async () => bytes,
    })
    if (body !== undefined && isStream(body)) {
      if (!watch) throw new Error(`${target} is a watch: say so in the move`)
      body.start({ write: (chunk) => this.see(chunk), end: () => undefined, abort: () => undefined })
      return { status, body: {} }
    }
    return { status, body: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as JsonObject }
  }

  private see(chunk: Uint8Array | string): boolean {
    const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    for (const line of text.split('\n')) if (line !== '') this.events.push(JSON.parse(line) as JsonObject)
    return true
  }

  close(): Promise<void> {
    return this.api.close()
  }
}

/** How many steps are done, one after the other, from some step on. */
export async function stepsDone(lesson: Lesson, room: Classroom, begun = 0): Promise<number> {
  let done = begun
  for (const step of lesson.steps.slice(begun)) {
    if (!(await isDone(step, room.evidence()))) break
    done++
  }
  return done
}

/** The steps that are done when moves are sent one after the other: a step that was done stays so. */
export async function stepsPlayed(lesson: Lesson, moves: readonly Move[]): Promise<number> {
  const room = await Classroom.at(lesson)
  let done = await stepsDone(lesson, room)
  for (const move of moves) {
    await room.move(move)
    done = await stepsDone(lesson, room, done)
  }
  await room.close()
  return done
}

/** What is wrong with a lesson, a sentence each; none for a good one. @throws Error when its start state or a move is refused */
export async function problemsOf(lesson: Lesson): Promise<string[]> {
  const problems: string[] = []
  const atStart = await stepsPlayed(lesson, [])
  if (atStart > 0) problems.push(`${atStart} of its steps are done before it begins`)
  const room = await Classroom.at(lesson)
  for (const [index, step] of lesson.steps.entries()) {
    if ((await stepsDone(lesson, room, index)) > index) problems.push(`"${step.title}" is done before its solution was sent`)
    for (const move of step.solution) await room.move(move)
    for (const { check, holds } of await checkStep(step, room.evidence()))
      if (!holds) problems.push(`"${step.title}": its solution does not reach "${check.says}"`)
  }
  await room.close()
  if ((await stepsPlayed(lesson, lesson.wrong)) === lesson.steps.length) problems.push('its wrong solution finishes it')
  return problems
}
