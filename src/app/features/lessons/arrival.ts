/** Runs nothing until the user starts the lesson. */

import { readLessonText } from '../../../lessons/text'
import { countText } from '../../components/format'
import { notify, useView } from '../../state/view'
import { startOwnLesson, useAuthor } from './author'
import { decodeLesson } from './link'
import { ARRIVAL } from './texts'

/** @param hash ignored unless it is a lesson's link */
export function openSharedLesson(hash: string): void {
  try {
    const text = decodeLesson(hash)
    if (text !== undefined) confirmLesson(text)
  } catch (error) {
    clearLink()
    notify(error instanceof Error ? error.message : String(error), 'bad')
  }
}

function confirmLesson(text: string): void {
  const { lesson, problems } = readLessonText(text)
  const look = { title: ARRIVAL.source, run: () => open(text) }
  if (lesson === undefined) {
    const [problem] = problems
    const question = {
      title: ARRIVAL.invalid,
      text: ARRIVAL.problem(problem?.line ?? 1, problem?.message ?? ARRIVAL.empty),
      choices: [look],
      onCancel: clearLink,
    }
    useView.getState().set({ question })
    return
  }
  const begin = () => {
    clearLink()
    void startOwnLesson(text)
  }
  const steps = countText(lesson.steps.length, 'step')
  useView.getState().set({
    question: {
      title: ARRIVAL.question(lesson.title),
      text: ARRIVAL.consequence(lesson.about, steps, lesson.minutes),
      choices: [look, { title: ARRIVAL.start, run: begin }],
      onCancel: clearLink,
    },
  })
}

function open(text: string): void {
  clearLink()
  useAuthor.getState().begin(text)
}

/** Prevents the same prompt after a reload. */
function clearLink(): void {
  history.replaceState(history.state, '', location.pathname + location.search)
}
