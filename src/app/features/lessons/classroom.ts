import { create } from 'zustand'
import type { JsonObject, KubeObject } from '../../../engine/core/object'
import { parseRelease } from '../../../engine/releases/release'
import type { AuditEvent } from '../../../hosts/shared/channel'
import { checkStep, type Evidence, isByPerson, type SeenRequest } from '../../../lessons/check'
import type { Lesson } from '../../../lessons/lesson'
import { releaseFor } from '../../../lessons/releases'
import { startObjects } from '../../../lessons/start'
import { PAGE_ACTOR } from '../../state/actors'
import { sendRequest } from '../../state/client'
import { useConnection } from '../../state/connection'
import { pathOf } from '../../state/discovery'
import { LESSON_HERE } from '../../state/lesson-workspace'
import { findKind } from '../../state/served'
import { useSettings } from '../../state/settings'
import { load, onStored, store } from '../../state/stored'
import { ownKey } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { resetCluster } from '../share/cluster'
import { useWatches } from '../watches/state'
import { endWatches, objectAt, play, settled, watchedEvents } from './play'
import { noteProgress } from './progress'
import { PLAY } from './texts'

interface ClassroomState {
  lesson: Lesson | undefined
  /** Completed steps. */
  done: number
  checks: { waitingFor: string; holds: boolean }[]
  /** Preparing, or showing a solution. */
  busy: string | undefined
  failure: string | undefined
  enter(lesson: Lesson): Promise<void>
  look(): Promise<void>
  show(): Promise<void>
  /** For authors: plays all steps from the start. */
  playThrough(which: 'solution' | 'wrong'): Promise<void>
  played: string | undefined
  /** Resets the cluster and the steps; files stay. */
  restart(): Promise<void>
}

/** false while the lesson restarts. */
const BEGUN = ownKey('lesson-begun')
const DONE = ownKey('lesson-done')
/** Retries, because a namespace gets the service account that pods need later. */
const ATTEMPTS = 30
const PAUSE_MILLISECONDS = 150
/** Effects of a solution can take 30 seconds. */
const STEP_ATTEMPTS = 200
const WRONG_ATTEMPTS = 5

/** By audit id, since the start: the engine loses them when its worker is suspended. */
const requests = new Map<string, SeenRequest>()
const MOST_REQUESTS = 5000
/** Earlier watch events belong to another cluster. */
let begunAt = 0
/** A check reads the whole audit trail: run one at a time. */
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
    played: undefined,
    async enter(lesson) {
      set({ lesson, done: load(DONE, 0) })
      const begun = load<boolean | undefined>(BEGUN, undefined)
      if (begun) return get().look()
      // After an interrupted restart, parts of the previous run may be left.
      await working(PLAY.preparing, () =>
        begun === undefined ? prepare(lesson, true) : begin(lesson),
      )
    },
    async look() {
      const { lesson, busy } = get()
      // Another tab is restarting the lesson.
      if (lesson === undefined || busy !== undefined || looking || !load<boolean>(BEGUN, true))
        return
      looking = true
      const before = get().done
      const { done, checks } = await stepsReached(lesson, before).finally(() => {
        looking = false
      })
      // After a restart, the evidence belongs to the previous run.
      if (get().busy !== undefined || get().done !== before) return
      if (done !== before) reached(lesson, done)
      set({ done, checks })
    },
    async show() {
      const { lesson, done } = get()
      const step = lesson?.steps[done]
      if (step === undefined) return
      await working(PLAY.solving, async () => {
        for (const move of step.solution) await play(move)
      })
    },
    async playThrough(which) {
      const { lesson } = get()
      if (lesson === undefined) return
      set({ played: undefined })
      await working(PLAY.playing, async () => {
        await begin(lesson)
        const playing = which === 'wrong' ? playWrong : playSolution
        const done = await playing(lesson, (now) => set({ done: now }))
        if (which === 'solution') reached(lesson, done)
        const way = which === 'wrong' ? PLAY.wrongSolution : PLAY.solution
        set({
          done,
          played: PLAY.played(way, done, lesson.steps.length),
        })
      })
    },
    async restart() {
      const { lesson } = get()
      if (lesson === undefined) return
      set({ played: undefined })
      await working(PLAY.restarting, () => begin(lesson))
    },
  }

  async function begin(lesson: Lesson): Promise<void> {
    store(BEGUN, false)
    store(DONE, 0)
    clearSeen()
    set({ done: 0, checks: [] })
    await resetCluster()
    begunAt = Date.now()
    await prepare(lesson, false)
  }
})

// Another tab restarted the lesson or made progress.
onStored(BEGUN, clearSeen)
onStored(DONE, () => useClassroom.setState({ done: load(DONE, 0), checks: [] }))

function clearSeen(): void {
  endWatches()
  requests.clear()
  begunAt = Date.now()
}

function reached(lesson: Lesson, done: number): void {
  store(DONE, done)
  // Authors have no progress in their own lessons.
  if (lesson.id === LESSON_HERE) noteProgress(lesson.id, done)
}

async function playSolution(lesson: Lesson, onStep: (done: number) => void): Promise<number> {
  let done = 0
  for (const [index, step] of lesson.steps.entries()) {
    for (const move of step.solution) await play(move)
    for (let attempt = 0; attempt < STEP_ATTEMPTS && done <= index; attempt++) {
      if (attempt > 0) await pause()
      done = (await stepsReached(lesson, done)).done
    }
    onStep(done)
    if (done <= index) return done
  }
  return done
}

async function playWrong(lesson: Lesson, onStep: (done: number) => void): Promise<number> {
  let done = 0
  for (const move of lesson.wrong) {
    await play(move)
    done = (await stepsReached(lesson, done)).done
    onStep(done)
  }
  // Waits, because a delayed effect would count.
  for (let attempt = 0; attempt < WRONG_ATTEMPTS; attempt++) {
    await pause()
    done = (await stepsReached(lesson, done)).done
  }
  return done
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))

async function stepsReached(
  lesson: Lesson,
  begun: number,
): Promise<Pick<ClassroomState, 'done' | 'checks'>> {
  let done = begun
  for (let step = lesson.steps[done]; step; step = lesson.steps[done]) {
    const checks = (await checkStep(step, await evidence())).map(({ check, holds }) => ({
      waitingFor: check.says,
      holds,
    }))
    if (!checks.every(({ holds }) => holds)) return { done, checks }
    done++
  }
  return { done, checks: [] }
}

async function prepare(lesson: Lesson, files: boolean): Promise<void> {
  const { start } = lesson
  await useConnection.getState().ready
  await startRelease(lesson)
  const objects = startObjects(start.objects)
  for (const [index, object] of objects.entries()) {
    await createStart(object)
    // The next object can depend on controllers, such as a quota; objects of the same kind do not
    // depend on each other.
    if (objects[index + 1]?.kind !== object.kind) await settled()
  }
  // Replaces the sample of a new workspace, which can have the same title.
  if (files) useEditors.getState().openInstead(start.files)
  store(BEGUN, true)
}

async function startRelease(lesson: Lesson): Promise<void> {
  const settings = useSettings.getState()
  await settings.load()
  const now = useSettings.getState().settings?.release
  const release = now && parseRelease(releaseFor(lesson, now))
  if (release !== undefined && release !== now) await settings.change({ release })
}

async function createStart(object: KubeObject): Promise<void> {
  // A lesson may start with a definition and objects of its kind.
  const state = await findKind(object.apiVersion, object.kind)
  if (!('resource' in state)) throw new Error(PLAY.notServed(object.kind, object.apiVersion))
  const { resource } = state
  const path = pathOf(resource, resource.namespaced ? (object.metadata.namespace ?? 'default') : '')
  for (let attempt = 1; ; attempt++) {
    const response = await sendRequest({
      method: 'POST',
      path,
      body: JSON.stringify(object),
      origin: 'page',
      actor: PAGE_ACTOR,
    })
    if (response.ok || response.status === 409)
      return object.apiVersion.startsWith('apps/')
        ? heard(`${path}/${object.metadata.name}`)
        : undefined
    if (attempt === ATTEMPTS)
      throw new Error(
        (response.json as { message?: string } | undefined)?.message ??
          PLAY.status(response.status),
      )
    await pause()
  }
}

/** Waits until controllers have observed the generation of the start state. */
async function heard(path: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { metadata, status } = ((await objectAt(path)) ?? {}) as {
      metadata?: JsonObject
      status?: JsonObject
    }
    if (metadata?.generation === status?.observedGeneration) return
    await pause()
  }
}

async function evidence(): Promise<Evidence> {
  const { connection } = useConnection.getState()
  const audit = await connection?.channel.request('audit', undefined)
  const watched = useWatches.getState().watches.flatMap(({ events, held }) => [...events, ...held])
  const seen = watched.filter(({ at }) => at >= begunAt)
  return {
    get: objectAt,
    requests: requestsWith(audit?.items ?? []),
    events: [
      ...seen.map(({ type, object }) => ({ type, object }) as JsonObject),
      ...watchedEvents(),
    ],
  }
}

function requestsWith(events: readonly AuditEvent[]): SeenRequest[] {
  for (const event of events) {
    const seen = event as unknown as SeenRequest
    if (isByPerson(seen)) requests.set(`${event.auditID} ${event.stage}`, seen)
  }
  for (const id of requests.keys()) {
    if (requests.size <= MOST_REQUESTS) break
    requests.delete(id)
  }
  return [...requests.values()]
}
