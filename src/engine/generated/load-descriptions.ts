/** The descriptions on demand. Hosts that cannot load modules at run time put another loader in this one's place. */
import type * as Descriptions from './descriptions'

export const loadDescriptions = (): Promise<typeof Descriptions> => import('./descriptions')
