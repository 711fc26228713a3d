/** Bindings as a resource: the old way to bind a pod, by the object's own name (recorded). */
import type { KubeObject } from '../../object'
import type { Strategy } from '../strategy'
import { bindPod } from './pod-binding'

export const bindingStrategy: Strategy = {
  async create(object, context) {
    return (await bindPod({ ...context, name: object.metadata.name ?? '' }, object)) as unknown as KubeObject
  },
}
