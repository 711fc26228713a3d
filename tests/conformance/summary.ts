/** The table at the end of a replay: the share of equal responses in each area. */
import type { RecordingResult, Verdict } from './known-differences'
import { areaOf } from './recording-files'
import type { NotRun, Replayed } from './replay-all'

interface Row {
  area: string
  exchanges: number
  identical: number
}

function rowsByArea(results: RecordingResult[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { file, steps } of results) {
    const area = areaOf(file)
    const row = rows.get(area) ?? { area, exchanges: 0, identical: 0 }
    row.exchanges += steps.length
    row.identical += steps.filter(({ level }) => level === 'same').length
    rows.set(area, row)
  }
  const all = [...rows.values()]
  return [
    ...all,
    { area: 'all replayed', exchanges: sum(all, 'exchanges'), identical: sum(all, 'identical') },
  ]
}

const sum = (rows: Row[], member: 'exchanges' | 'identical') =>
  rows.reduce((total, row) => total + row[member], 0)

/**
 * Responses with status 500 where kube-apiserver has another status: each is a failed assumption of
 * the engine.
 */
export function unrecordedFailures(results: RecordingResult[]): string[] {
  return results.flatMap(({ file, name, steps }) =>
    steps
      .filter(
        ({ status, expectedStatus, level }) =>
          level === 'error' || (status === 500 && expectedStatus !== 500),
      )
      .map(({ id }) => `${file} ${name} ${id}`),
  )
}

/** What did not run, by folder and reason. */
function notRunLines(notRun: NotRun[]): string[] {
  const exchanges = new Map<string, number>()
  for (const { file, exchanges: count, why } of notRun) {
    const key = `${file.split('/')[0]?.padEnd(26)}not run: ${why}`
    exchanges.set(key, (exchanges.get(key) ?? 0) + count)
  }
  return [...exchanges].map(([key, count]) => `${key} (${count} exchanges)`)
}

export function formatSummary(
  { results, notRun }: Replayed,
  { verdict, failures }: { verdict: Verdict; failures: string[] },
): string {
  const lines = rowsByArea(results).map(({ area, exchanges, identical }) => {
    const share = exchanges === 0 ? 0 : (100 * identical) / exchanges
    return `${area.padEnd(26)}${String(identical).padStart(7)} of ${String(exchanges).padStart(6)} identical ${share.toFixed(1).padStart(6)} %`
  })
  lines.push(...notRunLines(notRun))
  lines.push(
    `known differences: ${verdict.known}; differing and not listed: ${verdict.unexpected.length}; listed and right by now: ${verdict.stale.length}`,
  )
  lines.push(`500s that the real server did not return, or no response: ${failures.length}`)
  return lines.join('\n')
}
