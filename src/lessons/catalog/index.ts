/** All lessons, in the order in which they build on each other. */
import type { Lesson } from '../lesson'
import { lostUpdate } from './lost-update'

export const LESSONS: readonly Lesson[] = [lostUpdate]
