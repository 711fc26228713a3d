/** Namespaces: a label with their own name, a finalizer in `spec`, and a phase that deletion turns to Terminating. */
import { LABEL } from '../../names'
import type { KubeObject } from '../../object'
import { dnsLabel } from '../rules/names'
import type { Strategy } from '../strategy'

const FINALIZER = 'kubernetes'

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] }
  status?: { phase?: string }
}

export const namespaceStrategy: Strategy = {
  nameRule: dnsLabel,
  serverOwned: ['status'],
  defaults: labelWithName,
  prepareForCreate(object) {
    const namespace = object as Namespace
    labelWithName(namespace)
    namespace.status = { phase: 'Active' }
    const finalizers = namespace.spec?.finalizers ?? []
    namespace.spec = { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] }
  },
  prepareForUpdate(object, old) {
    object.spec = old.spec
    object.status = old.status
  },
  holdsDeletion: (object) => ((object as Namespace).spec?.finalizers ?? []).length > 0,
  markDeleted(object) {
    object.status = { ...(object.status as object), phase: 'Terminating' }
  },
  selectableFields: {
    'status.phase': (object) => (object as Namespace).status?.phase ?? '',
  },
  unknownFieldText: (field) => `field label not supported: ${field}`,
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
  },
}

/** The label always comes back, whoever removes it. */
function labelWithName(object: KubeObject): void {
  const { name } = object.metadata
  if (!name) return
  object.metadata.labels = { ...object.metadata.labels, [LABEL.namespaceName]: name }
}
