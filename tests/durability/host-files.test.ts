/** The files that the Node host writes: full disks and missing folders harm no request, and a kill leaves whole lines. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { type Started, start } from '../support/processes'
import { exchange } from './exchange'

const folder = mkdtempSync(join(tmpdir(), 'kubetab-host-files-'))
const policy = join(folder, 'policy.yaml')
const started: Started[] = []
let program = ''

beforeAll(async () => {
  program = await bundleNodeHost()
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Request }]\n')
})

afterAll(() => {
  for (const { process } of started) process.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function host(...flags: string[]) {
  const one = await start([program, '--port=0', '--warm-up=off', '--controllers=off', ...flags])
  started.push(one)
  return { url: /http:\S+/.exec(one.line)?.[0] ?? '', kill: () => one.process.kill('SIGKILL') }
}

const create = (url: string, name: string) =>
  exchange(
    { url },
    { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: { metadata: { name } } },
  )

it.runIf(process.platform === 'linux')(
  'requests are served while audit events do not fit on the disk',
  async () => {
    const { url } = await host(`--audit-policy-file=${policy}`, '--audit-log-path=/dev/full')
    for (const name of ['one', 'two']) expect((await create(url, name)).code).toBe(201)
    expect((await create(url, 'one')).code).toBe(409)
  },
)

it('audit events of acknowledged writes outlive a kill, each whole, in a folder that is made', async () => {
  const file = join(folder, 'made', 'for', 'it', 'audit.log')
  const { url, kill } = await host(`--audit-policy-file=${policy}`, `--audit-log-path=${file}`)
  const names = Array.from({ length: 40 }, (_, i) => `kept-${i}`)
  const responses = await Promise.all(names.map((name) => create(url, name)))
  kill()
  expect(responses.map(({ code }) => code)).toEqual(names.map(() => 201))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  const events = lines.map(
    (line) => JSON.parse(line) as { stage: string; requestObject?: { metadata: { name: string } } },
  )
  const written = new Set(events.map(({ requestObject }) => requestObject?.metadata.name))
  expect(names.filter((name) => !written.has(name))).toEqual([])
})

it.each([
  ['a kubeconfig', ['--secure-port=0', `--kubeconfig=${folder}/missing/kubeconfig`]],
  ['an audit log', [`--audit-policy-file=${policy}`, `--audit-log-path=${policy}/audit.log`]],
  ['a certificate', ['--secure-port=0', `--cert-dir=${policy}/certificates`]],
])('prints one line and serves nothing if %s cannot be written', async (_, flags) => {
  const child = spawn(process.execPath, [program, '--port=0', '--warm-up=off', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (piece) => {
    text += piece
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, text]).toEqual([1, expect.stringMatching(/^Error: E[A-Z]+: [^\n]*\n$/)])
})
