// cspell:ignore ustar
/** `tar` in containers, which `kubectl cp` runs. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { follow } from '../../src/engine/simulation/script/interpreter'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'archives-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const sh = (script: string, input = '') => {
  const { lines, code } = follow(['sh', '-c', script], {
    hostname: 'h',
    environment: {},
    mounts: [],
    now: Date.parse('2026-01-01T00:00:00Z'),
    input,
  })
  const of = (isError: boolean) =>
    lines.flatMap((line) => (line.isError === isError ? [line.text] : [])).join('')
  return { output: of(false), error: of(true), code }
}

it('writes an archive that tar reads', () => {
  const { output, error } = sh(
    'mkdir -p /tmp/d/e; echo größe >/tmp/d/e/f; echo x >/tmp/d/g; tar cf - /tmp/d',
  )
  expect(error).toBe("tar: removing leading '/' from member names\n")
  writeFileSync(join(home, 'a.tar'), output)
  execFileSync('tar', ['xf', 'a.tar'], { cwd: home })
  expect(readFileSync(join(home, 'tmp/d/e/f'), 'utf8')).toBe('größe\n')
  expect(readFileSync(join(home, 'tmp/d/g'), 'utf8')).toBe('x\n')
})

it('reads an archive of tar, also with long names', () => {
  const long = `${'n'.repeat(120)}.txt`
  writeFileSync(join(home, 'one'), 'größe\n', { mode: 0o640 })
  writeFileSync(join(home, long), 'long\n')
  for (const format of ['ustar', 'pax', 'gnu']) {
    const names = format === 'ustar' ? ['one'] : ['one', long]
    const archive = execFileSync('tar', [`--format=${format}`, '-cf', '-', ...names], { cwd: home })
    const { output, code } = sh(
      `mkdir /tmp/to; tar -xmf - -C /tmp/to; cat /tmp/to/*; stat -c %a /tmp/to/one`,
      archive.toString('utf8'),
    )
    expect([output, code]).toEqual([names.length > 1 ? 'long\ngröße\n640\n' : 'größe\n640\n', 0])
  }
})

it.each([
  ['tar xf - -C /tmp', 'hello '.repeat(200), 'tar: invalid tar magic\n', 1],
  [
    'tar xf - -C /tmp',
    '\ufffd'.repeat(600),
    'tar: archives with files that are not UTF-8 text are not simulated\n',
    1,
  ],
  [
    'tar xf - -C /tmp/none',
    '',
    "tar: can't change directory to '/tmp/none': No such file or directory\n",
    1,
  ],
  [
    'tar cf - /tmp/none >/dev/null',
    '',
    "tar: removing leading '/' from member names\ntar: /tmp/none: No such file or directory\n",
    1,
  ],
])('%s reports errors', (script, input, expected, expectedCode) => {
  const { error, code } = sh(script, input)
  expect([error, code]).toEqual([expected, expectedCode])
})

it('keeps members below the directory', () => {
  writeFileSync(join(home, 'one'), 'x\n')
  const archive = execFileSync('tar', ['-P', '--transform=s,^one$,../evil,', '-cf', '-', 'one'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString('utf8')
  expect(archive).toContain('../evil')
  const { output } = sh('mkdir /tmp/to; tar xf - -C /tmp/to; ls /tmp /tmp/to', archive)
  expect(output).toBe('/tmp:\nto\n\n/tmp/to:\n')
})
