/** Rules of Bindings. Recorded from kube-apiserver 1.31. */
import type { KubeObject } from '../../core/object'
import { wipeSystemFields } from '../../registry/create'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes, type RequestContext } from '../../registry/request-context'
import type { Strategy } from '../../registry/strategy'
import { bindPod } from './pod-binding'

export const bindingStrategy: Strategy<RequestContext> = {
  async create(object, context) {
    const { admission } = context.engine
    // A new object: the server sets its identity. Only `pods/binding` can name the pod's uid.
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
