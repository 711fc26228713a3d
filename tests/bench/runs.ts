/**
 * Several runs of the bench, each with servers of its own, and their medians: one run alone scatters by a tenth. Prints Markdown.
 *
 *   tsx tests/bench/runs.ts [--runs 5]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from '../support/median'
import { type Report, readReference } from './report'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const RUNS = Number(values.runs)
const BENCH = fileURLToPath(new URL('./run.ts', import.meta.url))

/** @throws Error if the bench fails or a request of it does */
function runOnce(file: string): Report {
  const { status } = spawnSync(process.execPath, [...process.execArgv, BENCH, '--json', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`the bench ended with code ${status}`)
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failed = report.rows.filter((row) => row.failed > 0)
  if (failed.length > 0)
    throw new Error(`failed requests in ${failed.map(({ name }) => name).join(', ')}`)
  return report
}

const shown = (share: number): string => String(Number(share.toPrecision(2)))

function print(reports: Report[]): void {
  const { rows: reference, residentMebibytes: real } = readReference()
  const memory = reports.map(({ residentMebibytes }) => Math.round(residentMebibytes))
  const least = Math.min(...memory)
  const most = Math.max(...memory)
  console.log(
    `Resident memory behind a run ${least} to ${most} MiB; the real server's ${real.toFixed(0)}, the goal ${(real / 4).toFixed(0)}.\n`,
  )
  console.log(
    `| | here | of ${reports.length} runs | real server | times the real | goal |\n|---|---:|---:|---:|---:|---|`,
  )
  for (const [name, { perCpuSecondOfFloor, goalPerCpuSecondOfFloor: goal }] of Object.entries(
    reference,
  )) {
    const shares = reports
      .flatMap(({ rows }) => rows.filter((row) => row.name === name))
      .map(({ cpuOfFloor }) => cpuOfFloor)
    const here = median(shares)
    const range = `${shown(Math.min(...shares))}–${shown(Math.max(...shares))}`
    const times = (here / perCpuSecondOfFloor).toFixed(1)
    console.log(
      `| ${name} | ${shown(here)} | ${range} | ${perCpuSecondOfFloor} | ${times} | ${goal}${here >= goal ? ', met' : ''} |`,
    )
  }
}

const folder = mkdtempSync(join(tmpdir(), 'kubetab-bench-'))
try {
  print(Array.from({ length: RUNS }, (_, i) => runOnce(join(folder, `${i}.json`))))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
