/** Metrics of the server's process, as far as the host can read them. */
import type { NumberName } from './families/families'
import type { MetricRegistry } from './registry'

export interface ProcessReadings {
  /** Seconds since the epoch. */
  startTime: number
  /** User and system time. */
  cpuSeconds: number
  residentBytes: number
  virtualBytes?: number
  openFiles?: number
  maxFiles?: number
  /** Failed TLS handshakes of clients. */
  handshakeErrors?: number
}

const NAMES: Record<keyof ProcessReadings, NumberName> = {
  startTime: 'process_start_time_seconds',
  cpuSeconds: 'process_cpu_seconds_total',
  residentBytes: 'process_resident_memory_bytes',
  virtualBytes: 'process_virtual_memory_bytes',
  openFiles: 'process_open_fds',
  maxFiles: 'process_max_fds',
  handshakeErrors: 'apiserver_tls_handshake_errors_total',
}

export function readProcess(registry: MetricRegistry, readings: ProcessReadings | undefined): void {
  for (const [key, value] of Object.entries(readings ?? {}) as [
    keyof ProcessReadings,
    number | undefined,
  ][]) {
    if (value !== undefined) registry.numbers(NAMES[key]).at({}).value = value
  }
}
