/** The built-in lessons, each building on earlier ones. */
import lessons from './index.yaml'

export const LESSONS = lessons
