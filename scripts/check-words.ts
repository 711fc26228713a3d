/**
 * Checks names, comments, texts and documents for the avoided words of docs/glossary.md.
 *
 *     npx tsx scripts/check-words.ts            checks every directory that has to be clean
 *     npx tsx scripts/check-words.ts PATH ...   lists the findings in other files and directories
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type AvoidedWord, avoidedWords, findingsIn } from './words'

const root = fileURLToPath(new URL('..', import.meta.url))

const CLEAN: string[] = [
  '.ci',
  '.devcontainer',
  '.github',
  'ARCHITECTURE.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'README.md',
  'SECURITY.md',
  'docs',
  'examples',
  'index.html',
  'playwright',
  'public',
  'scripts',
  'src',
  'tests',
]

const CHECKED_FILES = /\.(?:ts|tsx|css|html|md|yml|yaml|json)$/

/** Generated tables, recorded output, the list of avoided words, and fixtures of this check. */
const LEFT_OUT =
  /^(?:docs\/glossary\.md|scripts\/words\.ts|tests\/scripts\/words\.test\.ts|tests\/app\/texts\.test\.ts|src\/engine\/(?:facts|generated)\/|facts\/|tests\/conformance\/recordings|tests\/console\/recorded\/|package(?:-lock)?\.json|CHANGELOG\.md)/

function trackedFiles(paths: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((file) => CHECKED_FILES.test(file) && !LEFT_OUT.test(file))
}

/** @returns `file:line: word -> replacement` */
function check(files: readonly string[], avoided: readonly AvoidedWord[]): string[] {
  return files.flatMap((file) =>
    findingsIn(readFileSync(`${root}${file}`, 'utf8'), avoided).map(
      ({ line, found, instead }) => `${file}:${line}: "${found}": ${instead}`,
    ),
  )
}

const paths = process.argv.slice(2)
const findings = check(
  trackedFiles(paths.length > 0 ? paths : CLEAN),
  avoidedWords(readFileSync(`${root}docs/glossary.md`, 'utf8')),
)
for (const finding of findings) console.log(finding)
console.log(`${findings.length} avoided words`)
process.exitCode = findings.length === 0 ? 0 : 1
