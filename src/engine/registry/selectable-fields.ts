/**
 * Supported field selectors by kind, apart from `metadata.name` and `metadata.namespace`, and the
 * errors for others. Recorded from kube-apiserver 1.31; others are from k8s.io/kubernetes,
 * pkg/registry. Objects are in the stored version.
 */
import { entryOf, isJsonObject, type Json, type KubeObject } from '../core/object'
import { goQuote } from '../schema/go-text'
import type { Resource } from './resource'

type Reader = (object: KubeObject) => string

interface Selectable {
  fields: Record<string, Reader>
  /** The error for another field. */
  rejection(field: string): string
}

/** The value at a path as text; the zero value of its type if absent. */
const at =
  (path: string, absent = ''): Reader =>
  (object) => {
    let value = object as unknown as Json | undefined
    for (const member of path.split('.'))
      value = isJsonObject(value) ? entryOf(value, member) : undefined
    return value === undefined || value === null ? absent : String(value)
  }

/** Accepted, but empty for every object. */
const nothing: Reader = () => ''

const fieldsAt = (...paths: string[]): Record<string, Reader> =>
  Object.fromEntries(paths.map((path) => [path, at(path)]))

const NAME: Record<string, Reader> = { 'metadata.name': at('metadata.name') }
const NAMES: Record<string, Reader> = { ...NAME, 'metadata.namespace': at('metadata.namespace') }

const notSupported = (field: string): string => `field label not supported: ${field}`

const ofCore = (fields: Record<string, Reader>): Selectable => ({
  fields: { ...NAMES, ...fields },
  rejection: notSupported,
})
const ofCluster = (fields: Record<string, Reader>): Selectable => ({
  fields: { ...NAME, ...fields },
  rejection: notSupported,
})

const ANY: Selectable = {
  fields: NAMES,
  rejection: (field) =>
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
}

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** The same stored events with the names of either group. */
const ofEvents = (reference: string, reporter: string): Record<string, Reader> => ({
  ...Object.fromEntries(
    REFERENCE.map((member) => [`${reference}.${member}`, at(`involvedObject.${member}`)]),
  ),
  ...fieldsAt('reason', 'type'),
  [reporter]: at('reportingComponent'),
})

const firstPodAddress: Reader = (object) => {
  const { podIPs } = (object as { status?: { podIPs?: { ip?: string }[] } }).status ?? {}
  return podIPs?.[0]?.ip ?? at('status.podIP')(object)
}

const SELECTABLE: Record<string, Selectable> = {
  '/Event': ofCore({
    ...ofEvents('involvedObject', 'reportingComponent'),
    source: (object) => at('source.component')(object) || at('reportingComponent')(object),
  }),
  '/Namespace': ofCluster(fieldsAt('status.phase')),
  '/Node': ofCluster({ 'spec.unschedulable': at('spec.unschedulable', 'false') }),
  '/Pod': ofCore({
    ...fieldsAt(
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
    ),
    ...fieldsAt('status.phase', 'status.nominatedNodeName'),
    'spec.host': at('spec.nodeName'),
    'spec.hostNetwork': at('spec.hostNetwork', 'false'),
    'status.podIP': firstPodAddress,
    'status.podIPs': nothing,
  }),
  '/ReplicationController': ofCore({ 'status.replicas': at('status.replicas', '0') }),
  '/Secret': ofCore(fieldsAt('type')),
  '/Service': ofCore(fieldsAt('spec.clusterIP', 'spec.type')),
  'batch/Job': {
    fields: { ...NAMES, 'status.successful': at('status.succeeded', '0') },
    rejection: (field) => `field label ${goQuote(field)} not supported for Job`,
  },
  'certificates.k8s.io/CertificateSigningRequest': ofCluster(fieldsAt('spec.signerName')),
  'certificates.k8s.io/ClusterTrustBundle': ofCluster(fieldsAt('spec.signerName')),
  'events.k8s.io/Event': ofCore(ofEvents('regarding', 'reportingController')),
  'resource.k8s.io/ResourceSlice': {
    fields: { ...NAME, 'spec.nodeName': at('spec.nodeName'), 'spec.driver': at('spec.driver') },
    rejection: (field) =>
      `field label not supported for resource.k8s.io/v1alpha3, Kind=ResourceSlice: ${field}`,
  },
}

/** The fields of custom resources are in their strategy. */
export function selectableOf({ group, kind, namespaced, strategy }: Resource): Selectable {
  if (strategy.selectableFields === undefined) return SELECTABLE[`${group}/${kind}`] ?? ANY
  return {
    fields: { ...(namespaced ? NAMES : NAME), ...strategy.selectableFields },
    rejection: notSupported,
  }
}
