/** Metric families of the storage. */
import { gauge } from './family'

export const STORAGE_FAMILIES = {
  apiserver_storage_objects: gauge(
    'STABLE',
    'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    ['resource'],
  ),
  apiserver_storage_size_bytes: gauge('STABLE', 'Size of the storage database file physically allocated in bytes.', ['storage_cluster_id']),
  /** Counted stored objects before `apiserver_storage_objects` did. */
  etcd_object_counts: gauge('ALPHA', 'Number of stored objects at the time of last check split by kind.', ['resource'], {
    deprecated: '1.22',
    hiddenAfter: 3,
  }),
} as const
