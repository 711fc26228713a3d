/**
 * `npm run lesson FILE [-- --page=URL]` checks a lesson, starts the page and prints its address.
 * With `--page`, the page runs there already.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { encodeLesson } from '../src/app/features/lessons/link'
import { DEFAULT_RELEASE } from '../src/engine/releases/release'
import { mistakesOf } from './lesson-mistakes'

const { values, positionals } = parseArgs({
  options: { page: { type: 'string' } },
  allowPositionals: true,
})
const [file] = positionals
if (file === undefined) throw new Error('usage: npm run lesson FILE [-- --page=URL]')

const mistakes = await mistakesOf(file, DEFAULT_RELEASE)
if (mistakes.length > 0) {
  console.error(mistakes.join('\n'))
  process.exit(1)
}

async function startPage(): Promise<string> {
  const server = await createServer({ configLoader: 'runner', logLevel: 'warn' })
  await server.listen()
  return server.resolvedUrls?.local[0] ?? ''
}

const page = values.page ?? (await startPage())
console.log(`${new URL(page)}#${encodeLesson(readFileSync(file, 'utf8'))}`)
