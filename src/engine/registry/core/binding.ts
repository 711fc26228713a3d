/** Bindings as a resource: the old way to bind a pod, by the object's own name (recorded). */
import type { KubeObject } from '../../object'
import { wipeSystemFields } from '../create'
import { recordOwnership } from '../ownership'
import { admissionAttributes } from '../request-context'
import type { Strategy } from '../strategy'
import { bindPod } from './pod-binding'

export const bindingStrategy: Strategy = {
  async create(object, context) {
    const { admission } = context.engine
    // It is taken for a new object, whose identity is the server's (recorded): only a pod's own binding can say which pod it means.
    wipeSystemFields(object.metadata)
    recordOwnership(context, undefined, object)
    const attributes = admissionAttributes(context, 'CREATE', object, undefined)
    await admission.mutate(attributes)
    const bound = await bindPod({ ...context, name: object.metadata.name ?? '' }, object, () =>
      admission.validate(attributes),
    )
    return bound as unknown as KubeObject
  },
}
