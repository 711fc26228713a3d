/** docs/command-line.md has the help of each command: `UPDATE_DOCUMENTS=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/command-line/commands'
import { helpOf } from '../../src/command-line/help'

const FILE = 'docs/command-line.md'
const MARK = '<!-- help of the commands -->\n'

it('shows the help of each command', async () => {
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()))
  const text = commands
    .map((command) => `\n## kubetab ${command.name}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`)
    .join('')
  const [introduction = ''] = readFileSync(FILE, 'utf8').split(MARK)
  const document = introduction + MARK + text
  if (process.env.UPDATE_DOCUMENTS) writeFileSync(FILE, document)
  expect(readFileSync(FILE, 'utf8')).toBe(document)
})

it('names each command as the table does', async () => {
  for (const { name, summary, load } of COMMANDS)
    expect(await load()).toMatchObject({ name, summary })
})
