import { useClassroom } from '../features/lessons/classroom'
import { openScenario } from '../features/share/arrival'
import { callHandler } from '../features/webhooks/call-handler'
import { useConnection } from '../state/connection'
import { LESSON_PARAMETER } from '../state/embed-parameters'
import { useSettings } from '../state/settings'
import { notify } from '../state/view'
import { PANELS_SHOWN } from './panels'
import * as texts from './texts'

let begin: (filled: Promise<void>) => void
const prepared = new Promise<void>((resolve) => {
  begin = resolve
})

/** @returns when there is something to show; `whenPrepared` is later */
export async function prepareFrame(): Promise<void> {
  await useConnection.getState().start(callHandler)
  begin(fill())
}

/** Resolves also after a failure, which the frame shows. */
export const whenPrepared = (): Promise<void> => prepared

async function fill(): Promise<void> {
  if (useConnection.getState().failure !== undefined) return
  await useSettings.getState().load()
  if (location.hash.length > 1) await openScenario(location.hash)
  if (await holdsLesson()) await lessonPrepared()
}

/** The names of lessons load with the panel's code. */
async function holdsLesson(): Promise<boolean> {
  if (LESSON_PARAMETER === '' || !PANELS_SHOWN.some(({ part }) => part === 'lesson')) return false
  const { LESSONS } = await import('../../lessons/catalog')
  const isKnown = LESSONS.some(({ id }) => id === LESSON_PARAMETER)
  if (!isKnown) notify(texts.noLesson(LESSON_PARAMETER.slice(0, 60)), 'bad')
  return isKnown
}

/** The objects exist, and the first step was checked. */
function lessonPrepared(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { lesson, busy, failure, checks, done } = useClassroom.getState()
      if (lesson === undefined || busy !== undefined) return
      if (failure === undefined && checks.length === 0 && done < lesson.steps.length) return
      stop()
      resolve()
    }
    const stop = useClassroom.subscribe(look)
    look()
  })
}
