/** What `npm run lesson-check` and `npm run lesson` report about a file. */
import type { Release } from '../src/engine/releases/release'
import { problemsOf } from '../src/hosts/shared/lesson-rehearsal'
import { readLessonFile } from './lesson-files'

/**
 * Reads a lesson and plays both of its solutions in a cluster in memory.
 *
 * @returns the mistakes; empty if the lesson is correct
 */
export async function mistakesOf(file: string, release: Release): Promise<string[]> {
  try {
    return await problemsOf(readLessonFile(file), setImmediate, release)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
