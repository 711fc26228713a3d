/**
 * The commands of docs/tutorial.md print the outputs that it shows.
 *
 *     UPDATE_DOCUMENTS=1 npm run unit -- tests/console/tutorial.test.ts
 *
 * writes the outputs into the document.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { outputOf } from '../../scripts/incident-rehearsal'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import { RehearsalCluster } from '../../src/hosts/shared/rehearsal-cluster'

const FILE = new URL('../../docs/tutorial.md', import.meta.url)
const BLOCK = /^```console\n([\s\S]*?)^```$/gm

/** @returns the commands after `$`, each with its here-document */
function commandsOf(block: string): string[] {
  return [...block.matchAll(/^\$ (.*<<EOF\n[\s\S]*?^EOF$|.*$)/gm)].map(
    ([, command = '']) => command,
  )
}

/** Replaces what differs from run to run: how long a request took. */
const stable = (printed: string): string =>
  printed.replace(/\bin \d+ milliseconds/g, 'in 2 milliseconds')

async function withOutputs(document: string): Promise<string> {
  const cluster = await RehearsalCluster.with('', {
    turn: setImmediate,
    release: DEFAULT_RELEASE,
  })
  const blocks: string[] = []
  try {
    for (const [, block = ''] of document.matchAll(BLOCK)) {
      let text = ''
      for (const command of commandsOf(block)) {
        const { printed } = await outputOf(cluster, command)
        const ended = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
        text += `$ ${command}\n${stable(ended)}`
      }
      blocks.push(text)
    }
  } finally {
    await cluster.close()
  }
  return document.replace(BLOCK, () => `\`\`\`console\n${blocks.shift()}\`\`\``)
}

it('shows what its commands print', async () => {
  const document = readFileSync(FILE, 'utf8')
  expect([...document.matchAll(BLOCK)].length).toBeGreaterThan(5)
  const real = await withOutputs(document)
  if (process.env.UPDATE_DOCUMENTS) writeFileSync(FILE, real)
  else expect(document).toBe(real)
}, 60_000)
