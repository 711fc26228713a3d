/** `--help` has the layout of kubectl, and describes every option, even unavailable ones. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { avoidedWords, findingsIn } from '../../scripts/words'
import type { Command } from '../../src/console/command'
import { COMMANDS } from '../../src/console/commands'
import { globalOptions, helpOf, overview } from '../../src/console/help'
import { SimulatedClock } from '../../src/engine/core/environment'
import { testConsole } from './support'

/** Help needs no server. A request fails the test. */
const kubectl = testConsole(
  { fetch: () => Promise.reject(new Error('help sends no request')) },
  new SimulatedClock(0),
)

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')

/** Returns every command and subcommand with the path in its help. */
function all(commands: readonly Command[], parent = 'kubectl'): [path: string, command: Command][] {
  return commands.flatMap((command) => {
    const path = `${parent} ${command.name}`
    return [[path, command], ...all(command.commands ?? [], path)] as [string, Command][]
  })
}

it('lists every command once, in groups', () => {
  const lines = overview(COMMANDS).split('\n')
  for (const { name, summary } of COMMANDS)
    expect(lines.filter((line) => new RegExp(`^  ${name} +`).test(line))).toEqual([
      expect.stringContaining(summary),
    ])
  expect(lines[0]).toBe('kubectl controls the Kubernetes cluster manager.')
})

it.each(all(COMMANDS))('%s describes what it does, its options and its usage', (path, command) => {
  const help = helpOf(command, path)
  expect(help).toMatch(/^[A-Z]/)
  expect(help).toContain('\n\nUsage:\n  kubectl ')
  expect(command.summary).not.toMatch(/\.$/)
  for (const { name, about, unavailable } of command.flags)
    expect(about ?? unavailable, `--${name}`).toMatch(/\S/)
})

it.each(all(COMMANDS))('%s uses the terms of the glossary', (path, command) => {
  const avoided = avoidedWords(glossary)
  expect(findingsIn(helpOf(command, path), avoided)).toEqual([])
})

it('gives the reason for an unavailable option, in the help and as an error', async () => {
  const help = await kubectl.run('apply --help')
  expect(help.stdout).toContain(
    '    --prune=false:\n\tNot available here: delete the objects by name or by label.',
  )
  const error = await kubectl.run('apply -f web.yaml --prune')
  expect(error).toMatchObject({ code: 1 })
  expect(error.stderr).toBe(
    'error: --prune is not available here: delete the objects by name or by label\n',
  )
})

it('prints the options of every command with "kubectl options"', async () => {
  const { stdout } = await kubectl.run('options')
  expect(stdout).toBe(globalOptions())
  expect(stdout).toContain("    -n, --namespace='':\n")
})
