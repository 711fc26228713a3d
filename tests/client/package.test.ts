/** The package as it is installed: packed, put into a project without a registry, imported by plain Node, checked by the compiler. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiDocument } from '../../scripts/api-document'
import { writePackage } from '../../scripts/package'
import { DEFAULT_RELEASE, identityOf } from '../../src/engine/releases/release'
import { clientCertificate, selfSignedCertificate } from '../../src/hosts/node/certificate'
import { start, stop } from '../support/processes'

// Each starts programs one after another, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kubetab-package-'))
const written = join(folder, 'written')
const project = join(folder, 'project')
const installed = join(project, 'node_modules/kubetab')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

function run(
  command: string,
  args: string[],
  cwd = project,
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

beforeAll(async () => {
  await writePackage(written)
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "project", "private": true, "type": "module" }',
  )
  const { output } = run('npm', ['pack', written, '--pack-destination', folder, '--silent'], folder)
  const archive = join(folder, output.trim().split('\n').at(-1) ?? '')
  expect(existsSync(archive)).toBe(true)
  const { status, output: printed } = run('npm', [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    archive,
  ])
  expect([status, printed]).toEqual([0, expect.any(String)])
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('is small, and contains the listed files', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    for (const file of [
      'index.js',
      'index.d.ts',
      'bin/kubetab.js',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
    ])
      expect(files).toContain(file)
    expect(
      files.filter((file) => /node_modules|\.map$|\.ts$/.test(file) && !file.endsWith('.d.ts')),
    ).toEqual([])
    const bytes = files.reduce(
      (total, file) =>
        total + (/\.js$/.test(file) ? readFileSync(join(installed, file)).length : 0),
      0,
    )
    expect(bytes).toBeLessThan(5 * 1024 * 1024)
  })

  it('exports what is meant to be public', () => {
    const { status, output } = run(process.execPath, [
      '--input-type=module',
      '-e',
      "console.log(Object.keys(await import('kubetab')).sort().join())",
    ])
    expect([status, output.trim()]).toEqual([
      0,
      'ApiFailure,createApiServer,createTestServer,sharedTestServer,testServerFixture',
    ])
  })

  it('lets a process end that discards to close it', () => {
    const text =
      "import { createTestServer } from 'kubetab'; const c = await createTestServer({ controllers: ['*'], nodes: 1 }); console.log((await c.fetch('/version')).status)"
    expect(run(process.execPath, ['--input-type=module', '-e', text])).toEqual({
      status: 0,
      output: '200\n',
    })
  })

  it('runs the examples with plain Node and with vitest', () => {
    cpSync(join(root, 'examples/tests'), join(project, 'tests'), { recursive: true })
    const plain = run(process.execPath, ['--test', 'tests/controller.test.js'])
    expect([plain.status, plain.output]).toEqual([0, expect.stringMatching(/pass 4/)])
    for (const name of ['vitest'])
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
    const withVitest = run(process.execPath, [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      project,
      '--testTimeout=60000',
      'tests/rollout.test.ts',
    ])
    expect([withVitest.status, withVitest.output]).toEqual([0, expect.stringMatching(/1 passed/)])
  })

  it('has types that a strict project takes, as bundlers and as Node resolve them', () => {
    writeFileSync(
      join(project, 'use.ts'),
      `import { type ApiObject, ApiFailure, createApiServer, createTestServer, type TestServer, sharedTestServer } from 'kubetab'
interface Pod extends ApiObject { spec: { nodeName?: string } }
export async function use(): Promise<string | undefined> {
  const cluster: TestServer = await createTestServer({ objects: 'kind: x', nodes: 1, begin: new Date(0) })
  for await (const { type, object } of cluster.client.watch<Pod>({ apiVersion: 'v1', kind: 'Pod' })) if (type === 'ADDED') return object.spec.nodeName
  const response: Response = await createApiServer({ release: '1.30' }).fetch(new Request('http://a/'))
  const hooks = { beforeEach: (run: () => Promise<void>) => run(), afterAll: (run: () => Promise<void>) => run() }
  const later: () => TestServer = sharedTestServer(hooks)
  // @ts-expect-error there is no such option
  await createTestServer({ replicas: 3 })
  return new ApiFailure(response.status, { apiVersion: 'v1', kind: 'Status' }).reason + later().clock.now().toISOString()
}
`,
    )
    for (const [module, resolution] of [
      ['esnext', 'bundler'],
      ['nodenext', 'nodenext'],
    ]) {
      const args = [
        '--noEmit',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom,dom.asynciterable',
        '--types',
        '',
        '--module',
        module as string,
        '--moduleResolution',
        resolution as string,
        'use.ts',
      ]
      expect(run(join(root, 'node_modules/.bin/tsc'), args)).toEqual({ status: 0, output: '' })
    }
  })

  it('is described in docs/api.md (npm run api-document)', () => {
    expect(apiDocument(written)).toBe(readFileSync(join(root, 'docs/api.md'), 'utf8'))
  })
})

describe('the command', () => {
  const command = join(project, 'node_modules/.bin/kubetab')

  it('prints its version and its flags', () => {
    expect(run(command, ['--version'])).toEqual({
      status: 0,
      output: `kubetab ${manifest.version}\n`,
    })
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect(run(command, ['--help']).output).toContain('Usage:\n  kubetab [flags]\n')
    expect(run(command, ['--frob'])).toEqual({ status: 1, output: 'Error: unknown flag: --frob\n' })
  })

  it('serves', async () => {
    const server = await start([join(installed, 'bin/kubetab.js'), '--port=0', '--warm-up=off'])
    const address = /http:\S+/.exec(server.line)?.[0] ?? ''
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    await stop(server)
  })
})

describe('a link to the command by the name of the real program', () => {
  const assets = join(folder, 'assets')

  it('takes its place where tests start it themselves, with flags, certificates and clients of their own', async () => {
    mkdirSync(assets)
    symlinkSync(join(installed, 'bin/kubetab.js'), join(assets, 'kube-apiserver'))
    expect(run(join(assets, 'kube-apiserver'), ['--version']).output).toBe(
      `Kubernetes ${identityOf(DEFAULT_RELEASE).git}\n`,
    )
    // The flags of controller-runtime's envtest, with certificates of a test CA.
    const authority = selfSignedCertificate('tests', Date.now())
    const client = clientCertificate(
      { commonName: 'tests', organizations: ['system:masters'] },
      { commonName: 'tests', key: authority.key },
      Date.now(),
    )
    writeFileSync(join(assets, 'client-ca.crt'), authority.cert)
    const server = await start([
      join(assets, 'kube-apiserver'),
      '--advertise-address=127.0.0.1',
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(assets, 'certs')}`,
      `--client-ca-file=${join(assets, 'client-ca.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      '--secure-port=0',
      '--service-cluster-ip-range=10.0.0.0/24',
    ])
    const { port } = new URL(/https:\S+/.exec(server.line)?.[0] ?? '')
    expect(server.line).not.toContain('http:')
    const ca = readFileSync(join(assets, 'certs/apiserver.crt'), 'utf8')
    const status = (who: object) =>
      new Promise((resolve, reject) => {
        const options = {
          port,
          path: '/api/v1/namespaces/default/services/kubernetes',
          ca,
          agent: false as const,
          ...who,
        }
        get(options, (response) => resolve(response.resume().statusCode)).on('error', reject)
      })
    expect(await status(client)).toBe(200)
    expect(await status({ headers: { authorization: 'Bearer admin-token' } })).toBe(401)
    await stop(server)
  })
})

/**
 * Executes the steps of the Dockerfile in a temporary directory, because a container engine may be
 * missing.
 */
describe('the container file', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')
  const instruction = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  it('copies what npm run package writes, lets no one be root, and needs no shell', () => {
    expect(instruction('COPY')).toEqual(['dist/package/ ./'])
    expect(instruction('USER')).toEqual(['node'])
    expect(instruction('RUN')).toEqual([])
    expect(readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')).toEqual([
      '*',
      '!dist/package',
    ])
  })

  it('starts its command, which requests tokens and then serves clients with one', async () => {
    const [entry = '[]', cmd = '[]'] = [...instruction('ENTRYPOINT'), ...instruction('CMD')]
    const [program, script = '', ...flags] = [
      ...(JSON.parse(entry) as string[]),
      ...(JSON.parse(cmd) as string[]),
    ]
    expect(program).toBe('node')
    // The directory replaces the file system of the container; any port is accepted.
    const inFolder = (text: string) =>
      text
        .replace('/opt/kubetab', written)
        .replace('/etc/kubetab', folder)
        .replace('--secure-port=6443', '--secure-port=0')
    const args = [inFolder(script), ...flags.map(inFolder), '--warm-up=off']
    const missing = spawn(process.execPath, args, { stdio: 'ignore' })
    expect(await once(missing, 'exit')).toEqual([1, null])
    writeFileSync(join(folder, 'tokens.csv'), 'given,me,,"system:masters"\n')
    const server = await start(args)
    expect(server.line).toMatch(/^kubetab is ready on https:\/\/0\.0\.0\.0:\d+$/)
    const port = /\d+$/.exec(server.line)?.[0]
    const sendRequest = (token: string) =>
      run('curl', [
        '-sk',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `Authorization: Bearer ${token}`,
        `https://127.0.0.1:${port}/api/v1/pods`,
      ]).output
    expect([sendRequest('given'), sendRequest('admin-token')]).toEqual(['200', '401'])
    await stop(server)
  })
})
