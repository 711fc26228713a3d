/** NamespaceLifecycle: nothing is created in a namespace that is missing or going, and the system's namespaces stay. */
import type { Engine } from '../engine'
import { forbidden, notFound } from '../http/status'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'

/** Namespaces that cannot be deleted. */
const PROTECTED = new Set(['default', 'kube-system', 'kube-public'])
/** Reviews ask about a namespace; they do not live in it. */
const REVIEWS = new Set(['localsubjectaccessreviews'])

export function namespaceLifecycle(engine: Engine): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    mutate: (attributes) => (attributes.operation === 'CREATE' ? checkCreate(engine, attributes) : undefined),
    validate(attributes) {
      if (attributes.operation !== 'DELETE' || attributes.resource !== 'namespaces' || attributes.group !== '') return
      if (PROTECTED.has(attributes.name)) {
        throw forbidden({ group: '', resource: 'namespaces' }, attributes.name, 'this namespace may not be deleted')
      }
    },
  }
}

async function checkCreate(engine: Engine, attributes: AdmissionAttributes): Promise<void> {
  const { namespaced, namespace, group, resource } = attributes
  if (!namespaced || namespace === '' || REVIEWS.has(resource)) return
  const stored = await engine.storage.get(`/registry/namespaces/${namespace}`)
  if (stored === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
  const { metadata } = stored.object
  if (!metadata.deletionTimestamp) return
  const target = { group, resource }
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const name = attributes.name
  const refused = forbidden(target, name, why)
  refused.status.details = {
    ...refused.status.details,
    causes: [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }],
  }
  throw refused
}
