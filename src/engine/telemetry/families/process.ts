/** Names of Prometheus client libraries. */
import type { NumberFamily } from './family'

const family = (type: NumberFamily['type'], help: string): NumberFamily => ({
  type,
  help,
  labels: [],
})

export const PROCESS_FAMILIES = {
  process_cpu_seconds_total: family('counter', 'Total user and system CPU time spent in seconds.'),
  process_max_fds: family('gauge', 'Maximum number of open file descriptors.'),
  process_open_fds: family('gauge', 'Number of open file descriptors.'),
  process_resident_memory_bytes: family('gauge', 'Resident memory size in bytes.'),
  process_start_time_seconds: family(
    'gauge',
    'Start time of the process since unix epoch in seconds.',
  ),
  process_virtual_memory_bytes: family('gauge', 'Virtual memory size in bytes.'),
} as const
