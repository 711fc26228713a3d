/**
 * Replays the recordings and holds the result against the list of known differences.
 *
 *   npm run replay                          everything; fails if the list is not exactly what differs
 *   npm run replay -- access-rbac           files and recordings that match the pattern
 *   npm run replay -- access-rbac --verbose what differs, exchange by exchange
 *   npm run replay -- --update              takes off the list what became right
 *   npm run replay -- --update --grow --in PATTERN   also adds what differs in recordings that could not run before; the reason belongs in the commit
 *   npm run replay -- --json FILE           writes every result
 *   npm run replay -- --release=1.33 FILTER  replays that release, with its own list (known-differences-1.33.txt)
 *   npm run replay -- --etcd                over an etcd, started for it, in place of memory
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Etcd } from '../etcd/etcd'
import {
  evaluate,
  formatDifferences,
  parseDifferences,
  type RecordingResult,
} from './known-differences'
import { FOLDERS } from './recording-files'
import { replayAll } from './replay-all'
import { ETCD } from './store'
import { formatSummary, unrecordedFailures } from './summary'

const HEAD = [
  '# Exchanges whose response still differs from that of the real server. This list may only shrink: npm run replay -- --update',
]

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean' },
    update: { type: 'boolean' },
    grow: { type: 'boolean', default: false },
    in: { type: 'string' },
    json: { type: 'string' },
    etcd: { type: 'boolean' },
    release: { type: 'string' },
  },
})
const { release } = options
const LIST = fileURLToPath(
  new URL(`./known-differences${release ? `-${release}` : ''}.txt`, import.meta.url),
)
const filter = new RegExp(positionals[0] ?? '')
const complete = positionals.length === 0

const started = performance.now()
const etcd = options.etcd ? await Etcd.start() : undefined
if (etcd) process.env[ETCD] = etcd.url
const replayed = await replayAll({
  folders: release ? FOLDERS.filter(({ name }) => name === 'recordings') : FOLDERS,
  filter,
  release,
})
await etcd?.remove()
const { results } = replayed
const listed = parseDifferences(existsSync(LIST) ? readFileSync(LIST, 'utf8') : HEAD.join('\n'))
const verdict = evaluate(results, listed.byFile, complete)
const failures = unrecordedFailures(results)

if (options.verbose) results.forEach(printDifferences)
if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 1))
if (options.update) update()
console.log(formatSummary(replayed, { verdict, failures }))
console.log(`replayed in ${((performance.now() - started) / 1000).toFixed(1)} s`)

const broken = [
  ...verdict.unexpected.map(
    ({ where, result }) =>
      `differs and is not on the list: ${where}\n  ${result.differences.slice(0, 4).join('\n  ')}`,
  ),
  ...verdict.stale.map((where) => `is right by now and still on the list: ${where}`),
  ...failures.map((where) => `is a 500, or no response, unlike the real server: ${where}`),
]
if (!options.update) for (const line of broken.slice(0, 20)) console.error(line)
if (!options.update && broken.length > 20)
  console.error(`… and ${broken.length - 20} more (npm run replay -- PATTERN --verbose shows them)`)
console.log(
  `${verdict.identical} passed, ${verdict.unexpected.length + verdict.stale.length + failures.length} failed`,
)
process.exitCode = broken.length > 0 && !options.update ? 1 : 0

function printDifferences({ file, name, steps }: RecordingResult): void {
  const different = steps.filter(({ level }) => level !== 'same')
  console.log(
    `${different.length === 0 ? 'same' : 'DIFF'} ${file}/${name}: ${steps.length - different.length} of ${steps.length}`,
  )
  for (const { id, level, differences } of different)
    console.log(`     ${id} [${level}]\n       ${differences.slice(0, 12).join('\n       ')}`)
}

function update(): void {
  if (!complete) {
    console.error('--update needs the whole run: leave out the pattern')
    process.exit(2)
  }
  if (options.grow !== (options.in !== undefined)) {
    console.error('--grow needs --in with the pattern of the recordings, and --in needs --grow')
    process.exit(2)
  }
  const growing = new RegExp(options.in ?? '(?!)')
  const comments = listed.comments.length > 0 ? listed.comments : HEAD
  writeFileSync(
    LIST,
    formatDifferences(comments, results, listed.byFile, (name) => growing.test(name)),
  )
  const rejected = verdict.unexpected.filter(
    ({ where }) => !growing.test(where.split(' ').slice(0, 2).join('/')),
  )
  if (rejected.length > 0)
    console.error(`${rejected.length} exchanges differ that were not listed; they were not added`)
}
