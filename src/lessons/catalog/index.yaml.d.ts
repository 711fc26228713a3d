import type { Lesson } from '../lesson'

/** `scripts/vite-lessons.ts` replaces the list of ids with the lessons. */
declare const lessons: readonly Lesson[]
export default lessons
