/** Who watches while the soak test runs: resources of every sort, whole, by namespace, by label, by name. */
import type { Concern } from './verdict'

export interface Watcher {
  id: string
  path: string
  /** Further parameters, each beginning with `&`. */
  query?: string
  concern: Concern
}

export const WATCHERS: readonly Watcher[] = [
  { id: 'configmaps', path: 'api/v1/configmaps', concern: { kind: 'ConfigMap' } },
  {
    id: 'configmaps of a namespace',
    path: 'api/v1/namespaces/soak-a/configmaps',
    concern: { kind: 'ConfigMap', namespace: 'soak-a' },
  },
  {
    id: 'configmaps by label',
    path: 'api/v1/configmaps',
    query: '&labelSelector=lane%3Deven',
    concern: { kind: 'ConfigMap', lane: 'even' },
  },
  {
    id: 'a configmap by name',
    path: 'api/v1/namespaces/soak-c/configmaps',
    query: '&fieldSelector=metadata.name%3Dconfigmaps-2',
    concern: { kind: 'ConfigMap', namespace: 'soak-c', name: 'configmaps-2' },
  },
  { id: 'secrets', path: 'api/v1/secrets', concern: { kind: 'Secret' } },
  { id: 'services', path: 'api/v1/services', concern: { kind: 'Service' } },
  {
    id: 'endpoint slices',
    path: 'apis/discovery.k8s.io/v1/endpointslices',
    concern: { kind: 'EndpointSlice' },
  },
  { id: 'deployments', path: 'apis/apps/v1/deployments', concern: { kind: 'Deployment' } },
  {
    id: 'deployments of a namespace',
    path: 'apis/apps/v1/namespaces/soak-b/deployments',
    concern: { kind: 'Deployment', namespace: 'soak-b' },
  },
  { id: 'replica sets', path: 'apis/apps/v1/replicasets', concern: { kind: 'ReplicaSet' } },
  { id: 'pods', path: 'api/v1/pods', concern: { kind: 'Pod' } },
  {
    id: 'pods of a namespace',
    path: 'api/v1/namespaces/soak-a/pods',
    concern: { kind: 'Pod', namespace: 'soak-a' },
  },
  { id: 'pods again', path: 'api/v1/pods', concern: { kind: 'Pod' } },
  { id: 'events', path: 'api/v1/events', concern: { kind: 'Event' } },
  {
    id: 'events of a namespace',
    path: 'apis/events.k8s.io/v1/namespaces/soak-b/events',
    concern: { kind: 'Event', namespace: 'soak-b' },
  },
  { id: 'namespaces', path: 'api/v1/namespaces', concern: { kind: 'Namespace' } },
  { id: 'service accounts', path: 'api/v1/serviceaccounts', concern: { kind: 'ServiceAccount' } },
  { id: 'leases', path: 'apis/coordination.k8s.io/v1/leases', concern: { kind: 'Lease' } },
  { id: 'widgets', path: 'apis/soak.example.com/v1/widgets', concern: { kind: 'Widget' } },
  {
    id: 'widgets by label',
    path: 'apis/soak.example.com/v1/widgets',
    query: '&labelSelector=lane%3Dodd',
    concern: { kind: 'Widget', lane: 'odd' },
  },
]
