/** The admission plugins that are on by default, in their order. */
import type { Engine } from '../engine'
import type { AdmissionPlugin } from './admission'
import { namespaceLifecycle } from './namespace-lifecycle'

export function defaultPlugins(engine: Engine): AdmissionPlugin[] {
  return [namespaceLifecycle(engine)]
}
