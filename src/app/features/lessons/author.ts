/** Nothing of the draft runs automatically. */
import { create } from 'zustand'
import { BOUNDS } from '../../../lessons/bounds'
import type { Lesson } from '../../../lessons/lesson'
import { readLessonText, type TextualProblem } from '../../../lessons/text'
import { useConnection } from '../../state/connection'
import { keepOwnLesson, workspaceOfOwn } from '../../state/lesson-workspace'
import { load, store } from '../../state/stored'
import { notify, useView, WORKBENCH } from '../../state/view'
import { useWorkspaces } from '../workspaces/workspaces'
import { TEMPLATE } from './template'
import { ARRIVAL } from './texts'

/** undefined if the text changed since. */
type Played = { state: 'playing' } | { state: 'played'; problems: readonly string[] }

interface AuthorState {
  open: boolean
  text: string
  /** The lesson of the last valid text. */
  lesson: Lesson | undefined
  problems: readonly TextualProblem[]
  played: Played | undefined
  earlier: string | undefined
  /** Defaults to the stored draft; preserves the previous one. */
  begin(text?: string): void
  close(): void
  edit(text: string): void
  /** In memory, as `npm run lesson-check` does. */
  check(): Promise<void>
  tryIt(): Promise<void>
}

const DRAFT = 'lesson-draft'
const EARLIER = 'lesson-draft-before'

function kept(name: string): string | undefined {
  const text = load<unknown>(name, undefined)
  return typeof text === 'string' ? text : undefined
}

export const useAuthor = create<AuthorState>((set, get) => {
  const read = (text: string) => {
    const { lesson = get()?.lesson, problems } = readLessonText(text)
    return { text, lesson, problems, played: undefined }
  }
  return {
    open: false,
    text: '',
    lesson: undefined,
    problems: [],
    played: undefined,
    earlier: kept(EARLIER),
    begin(text) {
      const draft = kept(DRAFT)
      const begun = text ?? draft ?? TEMPLATE
      if (draft !== undefined && draft !== begun && draft !== TEMPLATE) {
        store(EARLIER, draft)
        set({ earlier: draft })
      }
      set({ lesson: undefined })
      get().edit(begun)
      set({ open: true })
      useView.getState().set({ place: 'lessons' })
    },
    close: () => set({ open: false }),
    edit(text) {
      set(read(text))
      if (text.length <= BOUNDS.text) store(DRAFT, text)
    },
    async check() {
      const { lesson, problems, text } = get()
      if (lesson === undefined || problems.length > 0) return
      set({ played: { state: 'playing' } })
      const found = await playedBoth(lesson)
      if (get().text === text) set({ played: { state: 'played', problems: found } })
    },
    async tryIt() {
      const { text, problems } = get()
      if (problems.length === 0) await startOwnLesson(text)
    },
  }
})

/** In its own workspace, by a page load. */
export async function startOwnLesson(text: string): Promise<void> {
  const { lesson } = readLessonText(text)
  const { connection } = useConnection.getState()
  if (lesson === undefined || connection === undefined) return
  const workspace = workspaceOfOwn(lesson.id)
  try {
    await connection.channelTo(workspace).request('reset', undefined)
    if (!keepOwnLesson(lesson.id, text)) throw new Error(ARRIVAL.storageFull)
    useView.getState().set({ place: WORKBENCH })
    useWorkspaces.getState().open(workspace)
  } catch (error) {
    notify(ARRIVAL.notStarted(error instanceof Error ? error.message : String(error)), 'bad')
  }
}

async function playedBoth(lesson: Lesson): Promise<readonly string[]> {
  try {
    // A second engine, loaded only when a lesson is checked.
    const { problemsOf } = await import('../../../hosts/shared/lesson-rehearsal')
    return await problemsOf(lesson)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
