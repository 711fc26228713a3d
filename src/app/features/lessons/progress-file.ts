/**
 * Progress as a file, to keep it or to take it to another browser. Importing keeps the better one of
 * both, so that nothing is lost.
 */
import { list, maybe, record, text, type ValueOf, whole } from '../share/shapes'
import { noteSolved, useSolutions } from './incident-progress'
import { noteProgress, useProgress } from './progress'

const FORMAT = 1
const MOST = 1_000_000_000
const ID = text(40)

const fileOf = record({
  kubetabProgress: whole(FORMAT, FORMAT),
  lessons: list(record({ id: ID, steps: whole(0, 100) })),
  incidents: maybe(
    list(
      record({ id: ID, milliseconds: whole(0, MOST), writes: whole(0, MOST), hints: whole(0, 3) }),
    ),
  ),
})

type ProgressFile = ValueOf<typeof fileOf>

export function progressText(): string {
  const file: ProgressFile = {
    kubetabProgress: FORMAT,
    lessons: Object.entries(useProgress.getState().steps).map(([id, steps]) => ({ id, steps })),
    incidents: Object.entries(useSolutions.getState().best).map(([id, best]) => ({ id, ...best })),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** @throws Error naming the invalid member */
export function importProgress(file: string): void {
  const { lessons, incidents = [] } = fileOf(JSON.parse(file), '')
  for (const { id, steps } of lessons) noteProgress(id, steps)
  for (const { id, ...solved } of incidents) noteSolved(id, solved)
}

export function clearProgress(): void {
  useProgress.getState().clear()
  useSolutions.getState().clear()
}
