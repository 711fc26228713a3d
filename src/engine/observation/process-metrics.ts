/** What the process uses that the server runs in, under the names that Prometheus has for it everywhere. */
import { formatDouble } from '../schema/go-number'

/** What a host knows of its process. */
export interface ProcessReadings {
  /** Seconds since 1970. */
  startTime: number
  /** Of all processors together, the system's work for the process included. */
  cpuSeconds: number
  residentBytes: number
  /** Where the system tells them. */
  openFiles?: number
}

interface Reading {
  name: string
  type: 'counter' | 'gauge'
  help: string
  of(readings: ProcessReadings): number | undefined
}

const READINGS: readonly Reading[] = [
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Total user and system CPU time spent in seconds.',
    of: ({ cpuSeconds }) => cpuSeconds,
  },
  { name: 'process_open_fds', type: 'gauge', help: 'Number of open file descriptors.', of: ({ openFiles }) => openFiles },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory size in bytes.',
    of: ({ residentBytes }) => residentBytes,
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'Start time of the process since unix epoch in seconds.',
    of: ({ startTime }) => startTime,
  },
]

/** Lines for Prometheus (text format 0.0.4); none of what is not known. */
export function processText(readings: ProcessReadings | undefined): string {
  if (readings === undefined) return ''
  return READINGS.map(({ name, type, help, of }) => {
    const value = of(readings)
    return value === undefined ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${formatDouble(value)}\n`
  }).join('')
}
