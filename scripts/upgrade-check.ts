/**
 * Checks manifests for an upgrade:
 *
 *     npm run upgrade-check -- --from 1.21 --to 1.25 FILE…
 *     helm template shop | npm run --silent upgrade-check -- --from 1.21 --to 1.25 -
 *
 * FILE is a file, a directory (its .yaml, .yml and .json files), or `-`. --format is text, markdown
 * or json. --output FILE writes the report. Exit status:
 * - 0: the last release accepts everything
 * - 1: it rejects something, or with --deprecated, warns of a deprecation
 * - 2: a file cannot be read, or the command line is invalid
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkUpgrade } from '../src/app/features/releases/check'
import { brokenAtEnd, deprecatedAtEnd } from '../src/app/features/releases/findings'
import { readManifests, type SourceText } from '../src/app/features/releases/manifests'
import { jsonReport, markdownReport, textReport } from '../src/app/features/releases/report'
import { ALL_RELEASES, DEFAULT_RELEASE, parseRelease, type Release } from '../src/engine/releases'

const FORMATS = { text: textReport, markdown: markdownReport, json: jsonReport }
const USAGE =
  'npm run upgrade-check -- --from 1.21 --to 1.25 [--format text|markdown|json] [--output FILE] [--deprecated] FILE…'

/** An invalid command line; the message has the reason. */
class UsageError extends Error {}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string', default: DEFAULT_RELEASE },
      format: { type: 'string', default: 'text' },
      output: { type: 'string' },
      deprecated: { type: 'boolean', default: false },
    },
  })
  const [from, to] = [releaseIn('--from', values.from), releaseIn('--to', values.to)]
  const format = formatIn(values.format)
  if (positionals.length === 0)
    throw new UsageError('name at least one file, folder, or - for standard input')
  const read = positionals.flatMap(textsOf).map(readManifests)
  const unreadable = read.flatMap((one) => one.unreadable)
  const report = await checkUpgrade({
    manifests: read.flatMap(({ manifests }) => manifests),
    unreadable,
    from,
    to,
  })
  const text = format(report)
  if (values.output === undefined) process.stdout.write(text)
  else writeFileSync(values.output, text)
  if (unreadable.length > 0) return 2
  return brokenAtEnd(report).length > 0 || (values.deprecated && deprecatedAtEnd(report).length > 0)
    ? 1
    : 0
}

function releaseIn(option: string, text: string | undefined): Release {
  if (text === undefined) throw new UsageError(`${option} is missing: a release, such as 1.25`)
  const release = parseRelease(text)
  if (release === undefined)
    throw new UsageError(
      `${option}: there is no release ${text} here; there are ${ALL_RELEASES[0]} to ${ALL_RELEASES.at(-1)}`,
    )
  return release
}

function formatIn(name: string): (typeof FORMATS)[keyof typeof FORMATS] {
  if (!Object.hasOwn(FORMATS, name))
    throw new UsageError(`--format: ${name} is none of ${Object.keys(FORMATS).join(', ')}`)
  return FORMATS[name as keyof typeof FORMATS]
}

/** Includes subdirectories. */
function textsOf(path: string): SourceText[] {
  if (path === '-') return [{ name: 'standard input', text: readFileSync(0, 'utf8') }]
  if (!statSync(path).isDirectory()) return [{ name: path, text: readFileSync(path, 'utf8') }]
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .filter((entry) => entry.isDirectory() || /\.(ya?ml|json)$/.test(entry.name))
    .flatMap((entry) => textsOf(join(path, entry.name)))
}

try {
  process.exitCode = await main()
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n${isUsage ? `${USAGE}\n` : ''}`,
  )
  process.exitCode = 2
}
