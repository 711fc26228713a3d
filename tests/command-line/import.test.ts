/** `kubetab import`: reads a cluster over HTTP, and writes a file that `check` takes. */

import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CHECK } from '../../src/command-line/check/command'
import { IMPORT } from '../../src/command-line/cluster-import/command'
import { createTestServer } from '../../src/package/test-server'
import { directoryWith, run } from './terminal'

const OBJECTS = `apiVersion: v1
kind: Secret
metadata:
  name: key
  namespace: shop
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"password":"hunter2"}'}
stringData: {password: hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: other}
`

interface Served {
  kubeconfig: string
  directory: string
  requests: IncomingMessage[]
}

/** Serves a cluster at an address, where users without a token are rejected. */
async function served(objects: string, user = '{token: secret}'): Promise<Served> {
  const cluster = await createTestServer({
    objects,
    tokens: 'secret,admin,,"system:masters"\nother,jane,,\n',
  })
  const requests: IncomingMessage[] = []
  const server = createServer(async (request, reply) => {
    requests.push(request)
    const headers = new Headers({ authorization: request.headers.authorization ?? 'Bearer none' })
    const { method = '' } = request
    const response = await cluster.fetch(`${request.url}`, { method, headers })
    reply.writeHead(response.status, { 'content-type': 'application/json' })
    reply.end(await response.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await cluster.close()
  })
  const { port } = server.address() as AddressInfo
  const directory = directoryWith({
    config: `apiVersion: v1
kind: Config
current-context: here
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:${port}'}}]
contexts: [{name: here, context: {cluster: c, user: u}}]
users: [{name: u, user: ${user}}]
`,
    token: 'secret\n',
  })
  return { kubeconfig: join(directory, 'config'), directory, requests }
}

it('writes what it reads, without the values of Secrets, and only reads', async () => {
  const { kubeconfig, directory, requests } = await served(OBJECTS)
  const file = join(directory, 'cluster.yaml')
  const { status, output } = await run(IMPORT, ['--kubeconfig', kubeconfig, '--output-file', file])
  expect(status).toBe(0)
  expect(output).toMatch(/^configmaps +3 +\d/m)
  expect(output).toMatch(/^secrets +1 +\d/m)
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^# A cluster of Kubernetes 1\.37\n/)
  expect(text).toContain('password: b21pdHRlZA==')
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain(Buffer.from('hunter2').toString('base64'))
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('copies values of Secrets with --secrets, and single namespaces', async () => {
  const { kubeconfig, directory } = await served(OBJECTS)
  const file = join(directory, 'cluster.yaml')
  const flags = ['--kubeconfig', kubeconfig, '--output-file', file]
  await run(IMPORT, [...flags, '--secrets', '--namespaces', 'shop'])
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(Buffer.from('hunter2').toString('base64'))
  expect(text).not.toContain('namespace: other')
  expect(text).toContain('kind: ClusterRole\n')
})

it('prints sizes and writes nothing in a dry run', async () => {
  const { kubeconfig, directory } = await served(OBJECTS)
  const { status, output } = await run(IMPORT, ['--kubeconfig', kubeconfig, '--dry-run'])
  expect(status).toBe(0)
  expect(output).toMatch(/^total +\d+ +[\d.]+ KiB$/m)
  expect(existsSync(join(directory, 'cluster.yaml'))).toBe(false)
})

it('reads large lists page by page', async () => {
  const many = Array.from(
    { length: 1_200 },
    (_, index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\n`,
  ).join('---\n')
  const { kubeconfig, directory, requests } = await served(many)
  const file = join(directory, 'cluster.yaml')
  const { output } = await run(IMPORT, ['--kubeconfig', kubeconfig, '--output-file', file])
  expect(output).toMatch(/^configmaps +1201 /m)
  expect(requests.filter(({ url }) => url?.startsWith('/api/v1/configmaps?')).length).toBe(3)
})

it('writes a cluster that a check begins from, as a server stores it', async () => {
  const { kubeconfig, directory } = await served(OBJECTS)
  const file = join(directory, 'cluster.yaml')
  await run(IMPORT, ['--kubeconfig', kubeconfig, '--output-file', file])
  const { status, output } = await run(CHECK, ['-', '--cluster', file], '# nothing\n')
  expect(output).toMatch(
    /^0 manifests and \d+ objects of the cluster .*: 0 errors, 0 warnings\.\n$/,
  )
  expect(status).toBe(0)
})

it('copies what the user may read, and names the rest', async () => {
  const reader = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: jane}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]
`
  const { kubeconfig, directory } = await served(`${OBJECTS}---\n${reader}`, '{token: other}')
  const file = join(directory, 'cluster.yaml')
  const { status, errors, output } = await run(IMPORT, [
    ...['--kubeconfig', kubeconfig, '--output-file', file],
  ])
  expect(status).toBe(1)
  expect(errors).toContain('not read: GET /api/v1/secrets: secrets is forbidden: User "jane"')
  expect(output).toMatch(/^configmaps +3 /m)
})

it.each([
  ['{tokenFile: token}'],
  [
    `{exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, args: ['-c', 'echo "{\\"status\\":{\\"token\\":\\"$VALUE\\"}}"'], env: [{name: VALUE, value: secret}]}}`,
  ],
])('authenticates by %s', async (user) => {
  const { kubeconfig } = await served(OBJECTS, user)
  expect((await run(IMPORT, ['--kubeconfig', kubeconfig, '--dry-run'])).status).toBe(0)
})

it('leaves no file behind if the cluster cannot be read, and overwrites none', async () => {
  const { kubeconfig, directory } = await served(OBJECTS, '{token: wrong}')
  const file = join(directory, 'cluster.yaml')
  const flags = ['--kubeconfig', kubeconfig, '--output-file']
  const { status, errors } = await run(IMPORT, [...flags, file])
  expect([status, existsSync(file)]).toEqual([2, false])
  expect(errors).toMatch(/error: GET \/\S*: Unauthorized/)
  const { kubeconfig: good } = await served(OBJECTS)
  const taken = await run(IMPORT, ['--kubeconfig', good, '--output-file', kubeconfig])
  expect(taken.errors).toContain(`cannot write ${kubeconfig}: EEXIST`)
  expect(readFileSync(kubeconfig, 'utf8')).toContain('kind: Config')
})

it.each([
  [['--dry-run', '--kubeconfig', '/does/not/exist'], 'cannot read the kubeconfig /does/not/exist'],
  [[], 'pass --output-file FILE, or --dry-run'],
  [['x', '--dry-run'], 'no arguments are expected, only flags'],
])('rejects %j', async (args, message) => {
  const { status, errors } = await run(IMPORT, args)
  expect(status).toBe(2)
  expect(errors).toContain(`error: ${message}`)
})

it('names the contexts that there are', async () => {
  const { kubeconfig } = await served(OBJECTS)
  const flags = ['--dry-run', '--kubeconfig', kubeconfig, '--context', 'there']
  expect((await run(IMPORT, flags)).errors).toContain(
    `error: no context "there" in ${kubeconfig}; there are: here`,
  )
})
