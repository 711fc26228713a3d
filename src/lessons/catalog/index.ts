/** The lessons of the project, in the order in which they build on each other. */
import lessons from './index.yaml'

export const LESSONS = lessons
