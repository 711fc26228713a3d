/** Errors of a script are reported with the line of its source. */
import { Script } from 'node:vm'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { scriptText } from '../../src/app/features/scripts/prelude'
import type { FromScript } from '../../src/app/features/scripts/protocol'
import { sourceLines } from '../../src/app/features/scripts/source-lines'

/** Runs a script as its worker would, and gives what it prints. */
async function printed(source: string): Promise<string[]> {
  const { code, map } = await transform(source, {
    loader: 'ts',
    target: 'es2022',
    sourcemap: true,
    supported: { 'top-level-await': true },
  })
  const { mappings } = JSON.parse(map) as { mappings: string }
  const text = scriptText({ code, lines: sourceLines(mappings).map((line) => line + 1) })
  const messages: string[] = []
  const globals = {
    performance,
    setTimeout,
    postMessage: ({ kind, text }: { kind: string; text?: string }) =>
      kind === 'chunk' && text !== undefined && messages.push(text),
    onmessage: (_event: unknown) => undefined,
  }
  const console: Record<string, unknown> = {}
  const run = new Script(`(self, console, performance, setTimeout, fetch) => { ${text} }`, {
    filename: 'blob:script',
  })
  run.runInThisContext()(globals, console, performance, setTimeout, undefined)
  globals.onmessage({ data: { id: 1, request: { kind: 'start' } } })
  await expect.poll(() => messages.some((message) => message.includes('"done"'))).toBe(true)
  return messages
    .map((message) => JSON.parse(message) as FromScript)
    .flatMap((message) => (message.kind === 'lines' ? message.lines : []))
    .map(({ text }) => text)
}

it('reports where an error was thrown, although types and empty lines are removed', async () => {
  const source = `interface Pod {
  name: string
}

const pods: Pod[] = []

// Deeper down.
function first(of: Pod[]): string {

  return of[0].name
}
first(pods)
`
  expect(await printed(source)).toEqual([
    "TypeError: Cannot read properties of undefined (reading 'name') (line 10)",
  ])
})

it('covers printed errors and asynchronous ones, but none without a position', async () => {
  const source = `console.log(new Error('printed'))
await new Promise((done) => setTimeout(done, 1))
console.log(Object.assign(new Error('bare'), { stack: 'nothing' }))
throw new RangeError('late')
`
  expect(await printed(source)).toEqual([
    'Error: printed (line 1)',
    'Error: bare',
    'RangeError: late (line 4)',
  ])
})

it('shows what is in maps and sets', async () => {
  expect(await printed(`console.log(new Map([['a', 1]]), new Set([2]))`)).toEqual([
    'Map [\n  [\n    "a",\n    1\n  ]\n] Set [\n  2\n]',
  ])
})

it('reads mappings: a line that comes from nowhere is of the line before', () => {
  expect(sourceLines('AAAA;;AAEA,CAAC;AAFA')).toEqual([0, 0, 2, 0])
})
