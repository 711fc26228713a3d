import type { Lesson } from '../lesson'

declare const lessons: readonly Lesson[]
export default lessons
export const chapters: readonly { chapter: string; lessons: readonly string[] }[]
