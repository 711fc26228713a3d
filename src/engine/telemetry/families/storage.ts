/** Metric families of the storage. */
import { counter, gauge } from './family'

export const STORAGE_FAMILIES = {
  apiserver_storage_events_received_total: counter(
    'ALPHA',
    'Number of etcd events received split by kind.',
    ['resource'],
  ),
  apiserver_storage_list_evaluated_objects_total: counter(
    'ALPHA',
    'Number of objects tested in the course of serving a LIST request from storage',
    ['resource'],
  ),
  apiserver_storage_list_fetched_objects_total: counter(
    'ALPHA',
    'Number of objects read from storage in the course of serving a LIST request',
    ['resource'],
  ),
  apiserver_storage_list_returned_objects_total: counter(
    'ALPHA',
    'Number of objects returned for a LIST request from storage',
    ['resource'],
  ),
  apiserver_storage_list_total: counter('ALPHA', 'Number of LIST requests served from storage', [
    'resource',
  ]),
  apiserver_storage_objects: gauge(
    'STABLE',
    'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    ['resource'],
  ),
  apiserver_storage_size_bytes: gauge(
    'STABLE',
    'Size of the storage database file physically allocated in bytes.',
    ['storage_cluster_id'],
  ),
  apiserver_terminated_watchers_total: counter(
    'ALPHA',
    'Counter of watchers closed due to unresponsiveness broken by resource type.',
    ['resource'],
  ),
  apiserver_watch_cache_events_dispatched_total: counter(
    'ALPHA',
    'Counter of events dispatched in watch cache broken by resource type.',
    ['resource'],
  ),
  apiserver_watch_cache_events_received_total: counter(
    'ALPHA',
    'Counter of events received in watch cache broken by resource type.',
    ['resource'],
  ),
  apiserver_watch_cache_resource_version: gauge(
    'ALPHA',
    'Current resource version of watch cache broken by resource type.',
    ['resource'],
  ),
  /** Counted stored objects before `apiserver_storage_objects` did. */
  etcd_object_counts: gauge(
    'ALPHA',
    'Number of stored objects at the time of last check split by kind.',
    ['resource'],
    {
      deprecated: '1.22',
      hiddenAfter: 3,
    },
  ),
} as const
