/** What a run of the bench leaves for others to read, and what it is held against. */
import { readFileSync } from 'node:fs'

export interface Measured {
  name: string
  perSecond: number
  p50ms?: number
  p99ms?: number
  failed: number
  perCpuSecond: number
  /** Shares of the bare server: in wall time and per processor second. */
  ofFloor: number
  cpuOfFloor: number
}

export interface Report {
  rows: Measured[]
  /** Of the server behind the last row. */
  residentMebibytes: number
}

interface ReferenceRow {
  perSecondOfFloor: number
  perCpuSecondOfFloor: number
  goalPerCpuSecondOfFloor: number
}

/** Kube-apiserver: its shares of the bare server, and what is to be reached. */
export interface Reference {
  rows: Record<string, ReferenceRow>
  residentMebibytes: number
}

export function readReference(): Reference {
  const text = readFileSync(new URL('./reference.json', import.meta.url), 'utf8')
  const { rssMiB, ...rows } = (
    JSON.parse(text) as { rows: Record<string, ReferenceRow> & { rssMiB: number } }
  ).rows
  return { rows, residentMebibytes: rssMiB }
}
