import type { Incident } from '../incident'

declare const incidents: readonly Incident[]
export default incidents
