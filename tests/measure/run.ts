/**
 * Measures everything in docs/measurements.md, and writes the results there. A section that fails
 * keeps its previous figures and is listed at the end. The other sections are still measured.
 *
 *   npm run measure                              everything: about 15 minutes on an idle machine
 *   npm run measure -- --only curves,memory      some sections
 *   npm run measure -- --print                   shows what it would write instead
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { spliced } from './document'
import { SECTIONS, type Section } from './sections'

const root = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = `${root}docs/measurements.md`

/** What a program prints. Its errors go where ours do. */
function output([program, ...rest]: Section['command']): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH ?? ''}`,
    }
    const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      process.stdout.write(chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, text }))
  })
}

/** Escapes of colors have no place in a document. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

/** @returns the command of a section, with the file that it runs made */
async function commandOf({ name, command, bundled }: Section): Promise<Section['command']> {
  if (bundled === undefined) return command
  const outfile = `${root}.cache/measure-${name}.mjs`
  await build({
    entryPoints: [root + bundled],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return [...command, outfile]
}

/** @throws Error if the program fails or prints nothing */
async function measured(section: Section): Promise<string> {
  const { markdown = false } = section
  const busy = await processorsInUse()
  const { code, text } = await output(await commandOf(section))
  if (code !== 0) throw new Error(`it ended with code ${code}`)
  if (text.trim() === '') throw new Error('it printed nothing')
  const tables = markdown ? text.trim() : `\`\`\`text\n${plain(text).trim()}\n\`\`\``
  return `${tables}\n\n${machine(busy)}`
}

/** How many processors something kept busy during a second in which this program waited. */
async function processorsInUse(): Promise<number> {
  const busy = () =>
    cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0)
  const before = busy()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  return (busy() - before) / 1000
}

/** From this share of one processor on someone else is at work. */
const IDLE = 0.2

/** Figures mean something only next to what they were taken on. */
function machine(busy: number): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const model = processors[0]?.model.trim() ?? 'unknown processor'
  const load =
    busy > IDLE
      ? `, of which other work took ${busy.toFixed(1)} before it began`
      : ', with nothing else to do'
  return `Node ${process.version}, ${processors.length} × ${model}, ${memory} GiB${load}.`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, print: { type: 'boolean', default: false } },
  })
  const wanted = values.only?.split(',')
  const unknown = wanted?.filter((name) => !SECTIONS.some((section) => section.name === name)) ?? []
  if (unknown.length > 0) {
    console.error(
      `no such section: ${unknown.join(', ')}; there are: ${SECTIONS.map(({ name }) => name).join(', ')}`,
    )
    process.exit(2)
  }
  const failed: string[] = []
  for (const section of SECTIONS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    const { name, title } = section
    console.log(`\n── ${title} (${name})`)
    try {
      const text = await measured(section)
      if (values.print) console.log(text)
      else writeFileSync(DOCUMENT, spliced(readFileSync(DOCUMENT, 'utf8'), name, title, text))
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  for (const one of failed) console.error(`not measured: ${one}`)
  if (failed.length > 0) process.exitCode = 1
}

void main()
