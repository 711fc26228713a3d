/** Results as a terminal table, and in one line. */
import { largest } from '../engine/core/lists'
import type { CaseResponse, CaseResult } from './types'

const MARKS = { passed: 'ok', failed: 'FAILED', shown: 'shown', broken: 'BROKEN' } as const

/** Whether all cases passed or only show a result. */
export const succeeded = (results: readonly CaseResult[]): boolean =>
  results.every(({ outcome }) => outcome === 'passed' || outcome === 'shown')

export function report(results: readonly CaseResult[]): string {
  const tests = [...new Set(results.map(({ test }) => test))]
  return [
    ...tests.flatMap((test) =>
      section(
        test,
        results.filter((result) => result.test === test),
      ),
    ),
    summary(results),
  ].join('\n')
}

function section(test: string, results: readonly CaseResult[]): string[] {
  const rows = results.map(({ outcome, name, request, response }) => [
    MARKS[outcome],
    name,
    request,
    describe(response),
  ])
  const widths = [0, 1, 2].map((column) => largest(rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.flatMap((row, index) => [
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ...(results[index]?.problems ?? []).map((problem) => `      ${problem}`),
  ])
  return [test, ...lines, '']
}

function describe(response: CaseResponse | undefined): string {
  if (response === undefined) return ''
  const { allowed, status, findings, warnings } = response
  const by = findings.flatMap(({ policy, validations }) =>
    validations
      .filter(({ outcome }) => outcome !== 'holds')
      .map(({ index }) => `${policy}[${index}]`),
  )
  const notes =
    warnings.length === 0 ? [] : [`${warnings.length} warning${warnings.length === 1 ? '' : 's'}`]
  return [allowed ? 'allowed' : `rejected (${status})`, ...new Set(by), ...notes].join(' ')
}

function summary(results: readonly CaseResult[]): string {
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const parts = (['passed', 'failed', 'broken', 'shown'] as const).flatMap((outcome) =>
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  )
  return parts.length === 0 ? 'no cases' : parts.join(', ')
}
