/** The built-in incidents, from the simplest diagnosis to the hardest. */
import incidents from './index.yaml'

export const INCIDENTS = incidents
