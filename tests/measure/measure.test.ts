import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { spliced } from './document'
import { SECTIONS } from './sections'

const BEFORE =
  '# M\n\n## One\n\nWhy.\n\n<!-- measured: one -->\n\nold\n\n<!-- end of one -->\n\nMore.\n\n## Soak\n\nKept.\n'

it('replaces what was measured and keeps what people wrote around it', () => {
  expect(spliced(BEFORE, 'one', 'One', 'new\n')).toBe(BEFORE.replace('old', 'new'))
})

it('adds a section that is not there, and finds it the next time', () => {
  const once = spliced(BEFORE, 'two', 'Two', 'first')
  expect(once).toBe(`${BEFORE}\n## Two\n\n<!-- measured: two -->\n\nfirst\n\n<!-- end of two -->\n`)
  expect(spliced(once, 'two', 'Two', 'second')).toBe(once.replace('first', 'second'))
})

it('has a program and a place in the document for every section', () => {
  const document = readFileSync('docs/measurements.md', 'utf8')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const { name, command, bundled } of SECTIONS) {
    const last =
      bundled ?? command.find((argument) => argument.endsWith('.ts')) ?? command.at(-1) ?? ''
    expect(existsSync(last) || last in scripts).toBe(true)
    expect(document).toContain(`<!-- measured: ${name} -->`)
  }
})
