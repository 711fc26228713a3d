/** `--help` of the headless server lists every flag once, in the layout of kube-apiserver. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { avoidedWords, findingsIn } from '../../scripts/words'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { FLAG_SECTIONS, FLAGS } from '../../src/hosts/node/flag-table'
import { usage } from '../../src/hosts/node/help'

const lines = usage(baseTables()).split('\n')

it('lists every flag once, in the sections of kube-apiserver', () => {
  const listed = lines.flatMap((line) => /^ {6}--([a-z0-9-]+)/.exec(line)?.[1] ?? [])
  expect(listed.toSorted()).toEqual(Object.keys(FLAGS).toSorted())
  expect(lines.filter((line) => line.endsWith(' flags:'))).toEqual(
    FLAG_SECTIONS.map(([title]) => `${title} flags:`),
  )
})

it('prints types and defaults as pflag does', () => {
  const help = usage(baseTables())
  expect(help).toContain('      --tls-min-version string\n')
  expect(help).toContain('      --disable-http2-serving\n')
  expect(help).toContain('      --request-timeout duration\n')
  expect(help).toContain('(default 1m0s)')
  expect(help).toContain('      --service-cluster-ip-range strings\n')
  expect(help).toContain('(default [10.96.0.0/16])')
  expect(help).toContain('(default "/registry")')
  expect(help).not.toContain('(default "")')
})

it('wraps descriptions at 100 columns', () => {
  const descriptions = lines.filter((line) => line.startsWith(' '.repeat(16)))
  const tooLong = descriptions.filter((line) => line.length > 100 && line.trim().includes(' '))
  expect(tooLong).toEqual([])
})

it('uses the terms of the glossary', () => {
  const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')
  expect(findingsIn(usage(baseTables()), avoidedWords(glossary))).toEqual([])
})
