/** Lessons and incidents in the search. */
import { LESSONS } from '../../../lessons/catalog'
import { INCIDENTS } from '../../../lessons/incidents'
import type { FoundLesson } from '../search/search'
import { otherSeed } from './incident-progress'
import { openIncident, openLesson } from './open'
import { FOUND } from './texts'

export const FOUND_LESSONS: readonly FoundLesson[] = [
  ...LESSONS.map(({ id, title, about, minutes }) => ({
    key: `lesson ${id}`,
    title,
    more: `lesson ${id} ${about}`,
    hint: FOUND.lesson(minutes),
    open: () => openLesson(id),
  })),
  ...INCIDENTS.map(({ id, title, story, minutes }) => ({
    key: `incident ${id}`,
    title,
    // The cause would give the solution away.
    more: `incident broken puzzle challenge ${story}`,
    hint: FOUND.incident(minutes),
    open: () => openIncident(id, otherSeed()),
  })),
]
