/** `npm run upgrade-check`: what goes in, what comes out, and the exit status that a pipeline goes by. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'upgrade-check-'))
const programs = mkdtempSync(join(tmpdir(), 'upgrade-check-program-'))
const program = join(programs, 'upgrade-check.mjs')

const OLD =
  'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 1, selector: { matchLabels: { app: web } } }\n'
const NEW = OLD.replace('policy/v1beta1', 'policy/v1')

function check(args: string[], input = ''): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
  })
  return { status, out: stdout, err: stderr }
}

beforeAll(async () => {
  // One file: each run would read all sources again.
  await build({
    entryPoints: [join(root, 'scripts/upgrade-check.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  mkdirSync(join(folder, 'more'))
  writeFileSync(join(folder, 'old.yaml'), OLD)
  writeFileSync(join(folder, 'more', 'new.yml'), NEW)
  writeFileSync(join(folder, 'README.md'), 'no manifest')
})

afterAll(() => {
  for (const made of [folder, programs]) rmSync(made, { recursive: true })
})

describe('the exit status', () => {
  it('is 0 where the last release takes everything, 1 where it rejects something', () => {
    expect(check(['--from', '1.24', '--to', '1.25', join(folder, 'more')]).status).toBe(0)
    expect(check(['--from', '1.24', '--to', '1.25', join(folder, 'old.yaml')]).status).toBe(1)
  })

  it('is 1 for what is only deprecated if that is requested', () => {
    const args = ['--from', '1.24', '--to', '1.24', join(folder, 'old.yaml')]
    expect(check(args).status).toBe(0)
    expect(check(['--deprecated', ...args]).status).toBe(1)
  })

  it('is 2 for what cannot be read and for calls that cannot be meant, with a word of advice', () => {
    expect(check(['--from', '1.24', '--to', '1.25', '-'], 'just: a text\n').status).toBe(2)
    const unknown = check(['--from', '1.2', folder])
    expect(unknown).toMatchObject({ status: 2, out: '' })
    expect(unknown.err).toContain('--from: there is no release 1.2 here; there are 1.15 to 1.37')
    expect(check(['--from', '1.24']).err).toContain(
      'name at least one file, folder, or - for standard input',
    )
    expect(check(['--from', '1.24', '/no/such/file']).err).toContain('no such file')
  })
})

describe('the report', () => {
  it('is about every file of a folder, as JSON for programs', () => {
    const { out } = check(['--from', '1.24', '--to', '1.25', '--format', 'json', folder])
    const { manifests } = JSON.parse(out)
    expect(
      manifests.map(({ source, releases }: { source: string; releases: { outcome: string }[] }) => [
        source,
        releases[1]?.outcome,
      ]),
    ).toEqual([
      [join(folder, 'more', 'new.yml'), 'accepted'],
      [join(folder, 'old.yaml'), 'gone'],
    ])
  })

  it('reads standard input, and goes to a file if one is named', () => {
    const report = join(folder, 'report.md')
    const { status, out } = check(
      ['--from', '1.24', '--to', '1.25', '--format', 'markdown', '--output', report, '-'],
      OLD,
    )
    expect([status, out]).toEqual([1, ''])
    expect(readFileSync(report, 'utf8')).toContain('+apiVersion: policy/v1\n')
  })
})
