/** How far the learner is in each lesson, kept for all workspaces of this browser. */
import { create } from 'zustand'
import { onRemembered, recall, remember } from '../state/stored'
import { WORKSPACE } from '../workspace'

const KEY = 'lessons'
const MARK = 'lesson-'

interface ProgressState {
  /** Steps that were done at best, by the lesson's id. */
  steps: Readonly<Record<string, number>>
}

export const useProgress = create<ProgressState>(() => ({ steps: recall<Record<string, number>>(KEY, {}) }))

onRemembered(KEY, () => useProgress.setState({ steps: recall<Record<string, number>>(KEY, {}) }))

export function noteProgress(id: string, done: number): void {
  const { steps } = useProgress.getState()
  const next = { ...steps, [id]: Math.max(steps[id] ?? 0, done) }
  useProgress.setState({ steps: next })
  remember(KEY, next)
}

/** The workspace in which a lesson is held. */
export function workspaceOfLesson(id: string): string {
  return MARK + id
}

/** The lesson that this tab's workspace was made for; undefined for any other workspace. */
export const LESSON_HERE: string | undefined = WORKSPACE.startsWith(MARK) ? WORKSPACE.slice(MARK.length) : undefined
