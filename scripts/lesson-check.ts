/**
 * `npm run lesson-check -- [--release=1.35] FILE…` (YAML or JSON; by default the built-in lessons;
 * docs/lessons.md). A lesson meets three conditions:
 * - No step is complete at the start.
 * - The solution completes the lesson step by step.
 * - The wrong solution does not complete it.
 */
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULT_RELEASE, parseRelease } from '../src/engine/releases/release'
import { lessonFiles } from './lesson-files'
import { mistakesOf } from './lesson-mistakes'

const { values, positionals } = parseArgs({
  options: { release: { type: 'string', default: DEFAULT_RELEASE } },
  allowPositionals: true,
})
const release = parseRelease(values.release)
if (release === undefined) throw new Error(`unknown release ${values.release}`)

const files = positionals.length > 0 ? positionals : lessonFiles()
for (const file of files) {
  const mistakes = await mistakesOf(file, release)
  console.log(`${mistakes.length === 0 ? 'ok    ' : 'FAILED'}  ${relative('', file)}`)
  for (const mistake of mistakes) console.log(mistake.replace(/^/gm, '        '))
  if (mistakes.length > 0) process.exitCode = 1
}
