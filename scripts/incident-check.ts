/**
 * `npm run incident-check -- [--release=1.35] [--seeds=3] FILE…` (by default the built-in
 * incidents; docs/incidents.md). For every seed, waiting must not solve the incident and its
 * shortest way must.
 */
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULT_RELEASE, parseRelease, type Release } from '../src/engine/releases/release'
import { problemsOfIncident } from './incident-rehearsal'
import { incidentFiles, readIncidentFile } from './lesson-files'

const { values, positionals } = parseArgs({
  options: {
    release: { type: 'string', default: DEFAULT_RELEASE },
    seeds: { type: 'string', default: '3' },
  },
  allowPositionals: true,
})
const release = parseRelease(values.release)
if (release === undefined) throw new Error(`unknown release ${values.release}`)

for (const file of positionals.length > 0 ? positionals : incidentFiles()) {
  const mistakes = await mistakesOf(file, Number(values.seeds), release)
  console.log(`${mistakes.length === 0 ? 'ok    ' : 'FAILED'}  ${relative('', file)}`)
  for (const mistake of mistakes) console.log(mistake.replace(/^/gm, '        '))
  if (mistakes.length > 0) process.exitCode = 1
}

async function mistakesOf(file: string, seeds: number, release: Release): Promise<string[]> {
  const mistakes: string[] = []
  try {
    const incident = readIncidentFile(file)
    for (let seed = 1; seed <= seeds; seed++)
      for (const problem of await problemsOfIncident(incident, seed, release))
        mistakes.push(`seed ${seed}: ${problem}`)
  } catch (error) {
    mistakes.push(error instanceof Error ? error.message : String(error))
  }
  return mistakes
}
