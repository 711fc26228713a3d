/** Errors of a lesson, for `npm run lesson-check` and `npm run lesson`. */
import type { Release } from '../src/engine/releases/release'
import { problemsOf } from '../src/hosts/shared/lesson-rehearsal'
import { readLessonFile } from './lesson-files'

/**
 * Plays both solutions in a cluster in memory.
 *
 * @returns the errors
 */
export async function mistakesOf(file: string, release: Release): Promise<string[]> {
  try {
    return await problemsOf(readLessonFile(file), setImmediate, release)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
