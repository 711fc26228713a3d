/** A lesson in this tab's workspace: its start state, how far the learner is, and the solution shown when asked for. */
import { create } from 'zustand'
import { isJsonObject, type JsonObject, type KubeObject } from '../../engine/object'
import { byPeople, checkStep, type Evidence, type SeenRequest } from '../../lessons/check'
import { filled } from '../../lessons/fill'
import type { Lesson, Move } from '../../lessons/lesson'
import { ask, stream } from '../client'
import { parseManifest } from '../manifests/documents'
import { resetCluster } from '../share/cluster'
import { type Actor, PAGE_ACTOR, useActors } from '../state/actors'
import { useConnection } from '../state/connection'
import { pathOf, resourceOfKind, useDiscovery } from '../state/discovery'
import { useEditors } from '../state/editors'
import { recall, remember } from '../state/stored'
import { useWatches } from '../state/watches'
import { ownKey } from '../workspace'
import { noteProgress } from './progress'

interface ClassroomState {
  lesson: Lesson | undefined
  /** So many steps are done; as many as there are: the lesson is. */
  done: number
  /** The checks of the step that is to be done. */
  checks: { says: string; holds: boolean }[]
  /** What is under way: preparing, showing. */
  busy: string | undefined
  failure: string | undefined
  enter(lesson: Lesson): Promise<void>
  /** Looks what came of what was done. */
  look(): Promise<void>
  /** Sends what the solution of the present step sends. */
  show(): Promise<void>
  /** The cluster and the steps as at the beginning; files stay. */
  restart(): Promise<void>
}

const BEGUN = ownKey('lesson-begun')
const DONE = ownKey('lesson-done')
/** A namespace gets its service account a moment later, and Pods wait for it. */
const ATTEMPTS = 30
const PAUSE_MILLISECONDS = 150

/** Events that the solution's own watches saw, beside those of the panel. */
let shownEvents: JsonObject[] = []
const streams: AbortController[] = []
/** A look asks for the whole audit trail: one at a time is enough. */
let looking = false

export const useClassroom = create<ClassroomState>((set, get) => {
  const working = async (what: string, work: () => Promise<void>) => {
    set({ busy: what, failure: undefined })
    try {
      await work()
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    } finally {
      set({ busy: undefined })
    }
    await get().look()
  }
  return {
    lesson: undefined,
    done: 0,
    checks: [],
    busy: undefined,
    failure: undefined,
    async enter(lesson) {
      set({ lesson, done: recall(DONE, 0) })
      if (recall(BEGUN, false)) return get().look()
      await working('Preparing the lesson …', () => prepare(lesson, true))
    },
    async look() {
      const { lesson, busy } = get()
      if (lesson === undefined || busy !== undefined || looking) return
      looking = true
      const { done, checks } = await stepsReached(lesson, get().done).finally(() => {
        looking = false
      })
      // Started anew meanwhile: what was seen is of before.
      if (get().busy !== undefined) return
      if (done !== get().done) {
        remember(DONE, done)
        noteProgress(lesson.id, done)
      }
      set({ done, checks })
    },
    async show() {
      const { lesson, done } = get()
      const step = lesson?.steps[done]
      if (step === undefined) return
      await working('Showing how …', async () => {
        for (const move of step.solution) await play(move)
      })
    },
    async restart() {
      const { lesson } = get()
      if (lesson === undefined) return
      remember(BEGUN, false)
      remember(DONE, 0)
      for (const control of streams.splice(0)) control.abort()
      shownEvents = []
      set({ done: 0, checks: [] })
      await working('Starting anew …', async () => {
        await resetCluster()
        await prepare(lesson, false)
      })
    },
  }
})

/** The steps that are done by now, and the checks of the one that is next. */
async function stepsReached(lesson: Lesson, begun: number): Promise<Pick<ClassroomState, 'done' | 'checks'>> {
  let done = begun
  for (let step = lesson.steps[done]; step; step = lesson.steps[done]) {
    const checks = (await checkStep(step, await evidence())).map(({ check, holds }) => ({ says: check.says, holds }))
    if (!checks.every(({ holds }) => holds)) return { done, checks }
    done++
  }
  return { done, checks: [] }
}

async function prepare({ start }: Lesson, files: boolean): Promise<void> {
  await useConnection.getState().ready
  for (const { value } of parseManifest(start.objects).documents) await createStart(value as unknown as KubeObject)
  if (files && start.files.length > 0) {
    const { tabs, close, open } = useEditors.getState()
    for (const file of start.files) open(file)
    // The sample that every new workspace opens with is not this lesson's.
    for (const { id } of tabs) close(id)
  }
  remember(BEGUN, true)
}

async function createStart(object: KubeObject): Promise<void> {
  const resource = resourceOfKind(useDiscovery.getState().resources, object.apiVersion, object.kind)
  if (resource === undefined) throw new Error(`the server does not serve ${object.kind} (${object.apiVersion})`)
  const path = pathOf(resource, resource.namespaced ? (object.metadata.namespace ?? 'default') : '')
  for (let attempt = 1; ; attempt++) {
    const answer = await ask({ method: 'POST', path, body: JSON.stringify(object), origin: 'page', actor: PAGE_ACTOR })
    if (answer.ok || answer.status === 409) return
    if (attempt === ATTEMPTS) throw new Error((answer.json as { message?: string } | undefined)?.message ?? `HTTP ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
  }
}

async function objectAt(path: string): Promise<JsonObject | undefined> {
  const answer = await ask({ method: 'GET', path, origin: 'page', actor: PAGE_ACTOR })
  return answer.ok && isJsonObject(answer.json as JsonObject) ? (answer.json as JsonObject) : undefined
}

async function evidence(): Promise<Evidence> {
  const { connection } = useConnection.getState()
  const audit = await connection?.channel.request('audit', undefined)
  const seen = useWatches.getState().watches.flatMap(({ events, held }) => [...events, ...held])
  return {
    get: objectAt,
    requests: byPeople((audit?.events ?? []) as unknown as SeenRequest[]),
    events: [...seen.map(({ type, object }) => ({ type, object }) as JsonObject), ...shownEvents],
  }
}

async function play({ as = 'admin', method, path, body, contentType, status, watch, compact }: Move): Promise<void> {
  const actor = useActors.getState().actors.find(({ name }) => name === as) ?? PAGE_ACTOR
  const target = await filled(path, objectAt)
  const text = body && (await filled(JSON.stringify(body), objectAt))
  if (compact) await forgetPast()
  if (watch) return open(target, actor)
  const answer = await ask({
    method,
    path: target,
    actor,
    ...(text === undefined ? {} : { body: text }),
    ...(contentType === undefined ? {} : { contentType }),
  })
  if (status === undefined ? !answer.ok : answer.status !== status)
    throw new Error(`${method} ${target} was answered ${answer.status}: the cluster is not as the lesson left it; start it anew`)
}

function open(path: string, actor: Actor): Promise<void> {
  const control = new AbortController()
  streams.push(control)
  stream({ method: 'GET', path, actor, signal: control.signal }, (line) => shownEvents.push(line as JsonObject)).catch(() => undefined)
  return Promise.resolve()
}

async function forgetPast(): Promise<void> {
  const body = JSON.stringify({ metadata: { generateName: 'elsewhere-' } })
  await ask({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body, origin: 'page', actor: PAGE_ACTOR })
  await useWatches.getState().compact()
}
