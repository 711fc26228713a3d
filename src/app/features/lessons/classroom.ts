import { create } from 'zustand'
import type { JsonObject } from '../../../engine/core/object'
import type { AuditEvent } from '../../../hosts/shared/channel'
import { checkStep, type Evidence, isByPerson, type SeenRequest } from '../../../lessons/check'
import type { Lesson } from '../../../lessons/lesson'
import { useConnection } from '../../state/connection'
import { LESSON_HERE } from '../../state/lesson-workspace'
import { load, onStored, store } from '../../state/stored'
import { useView, WORKBENCH } from '../../state/view'
import { ownKey } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { resetCluster } from '../share/cluster'
import { useWatches } from '../watches/state'
import { endWatches, objectAt, play, sendProbe, watchedEvents } from './play'
import { clearPredictions, isRead, predictRight } from './predictions'
import { noteProgress } from './progress'
import { clearReads, readByClick } from './read-by-click'
import { createStart } from './start-state'
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
const PAUSE_MILLISECONDS = 150
const EMPTY_FILE = { title: PLAY.file, language: 'yaml', text: '' } as const
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
      // A link can arrive while the list of lessons is shown.
      if (begun === undefined && useView.getState().place === 'lessons')
        useView.getState().set({ place: WORKBENCH })
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
    clearPredictions()
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
  clearReads()
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
    if (step.predict !== undefined) await predictRight(index, step.predict)
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
    done = await predicted(lesson, done)
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

/** Makes the predictions on the way to the next task. */
async function predicted(lesson: Lesson, begun: number): Promise<number> {
  let done = begun
  for (let step = lesson.steps[done]; step?.predict && !isRead(done); step = lesson.steps[done]) {
    await predictRight(done, step.predict)
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
    if (step.predict !== undefined && !isRead(done)) return { done, checks: [] }
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
  await createStart(start.objects, lesson)
  // Replaces the sample of a new workspace, which can have the same title.
  if (files) useEditors.getState().openInstead(start.files.length > 0 ? start.files : [EMPTY_FILE])
  store(BEGUN, true)
}

async function evidence(): Promise<Evidence> {
  const { connection } = useConnection.getState()
  const audit = await connection?.channel.request('audit', undefined)
  const watched = useWatches.getState().watches.flatMap(({ events, held }) => [...events, ...held])
  const seen = watched.filter(({ at }) => at >= begunAt)
  return {
    get: objectAt,
    send: sendProbe,
    requests: [...requestsWith(audit?.items ?? []), ...readByClick()],
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
