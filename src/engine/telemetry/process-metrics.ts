/** What the process uses that the server runs in, as far as its host knows. */
import type { NumberName } from './families/families'
import type { MetricRegistry } from './registry'

/** What a host knows of its process. */
export interface ProcessReadings {
  /** Seconds since 1970. */
  startTime: number
  /** Of all processors together, the system's work for the process included. */
  cpuSeconds: number
  residentBytes: number
  virtualBytes?: number
  openFiles?: number
  maxFiles?: number
  /** TLS handshakes of clients that failed. */
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

/** Brings the metrics of the process up to date; what is not known stays as it is. */
export function readProcess(registry: MetricRegistry, readings: ProcessReadings | undefined): void {
  for (const [key, value] of Object.entries(readings ?? {}) as [
    keyof ProcessReadings,
    number | undefined,
  ][]) {
    if (value !== undefined) registry.numbers(NAMES[key]).at({}).value = value
  }
}
