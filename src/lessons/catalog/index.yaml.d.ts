import type { Lesson } from '../lesson'

declare const lessons: readonly Lesson[]
export default lessons
