/** The built-in lessons, each building on earlier ones. */
import lessons, { chapters } from './index.yaml'

export const LESSONS = lessons

/** Titles, with the ids of their lessons. */
export const CHAPTERS = chapters
