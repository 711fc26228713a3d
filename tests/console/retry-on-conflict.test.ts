/** Read-modify-write commands, with writes of another client in between. */
import { beforeEach, describe, expect, it } from 'vitest'
import { newCertificateRequest } from '../../src/engine/authentication/certificates/request'
import { SimulatedClock } from '../../src/engine/core/environment'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { systemEnvironment } from '../../src/hosts/node/system'
import { quickSignatures } from '../authentication/tokens-server'
import { type Printed, type TestConsole, testConsole } from './support'

const SET = `apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
`
const SET_PATH = '/apis/apps/v1/namespaces/default/replicasets/web'
const REQUEST_PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests/jane'

let clock: SimulatedClock
let kubectl: TestConsole
/** Writes of another client before a request: path, method, and remaining count. */
let conflicting: { path: string; by: RegExp; left: number }
/** The number of conflicting writes. */
let faster: number

beforeEach(async () => {
  clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'))
  ;[conflicting, faster] = [{ path: '', by: /^$/, left: 0 }, 0]
  const server = await startEngine(parseFlags(['--controllers=off', '--seed=1']), {
    ...systemEnvironment,
    clock,
  })
  const send = (request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('authorization', 'Bearer admin-token')
    return server.fetch(new Request(request, { headers }))
  }
  const annotate = (path: string) => {
    const body = JSON.stringify({ metadata: { annotations: { seen: String(faster) } } })
    return send(
      new Request(`http://localhost${path}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body,
      }),
    )
  }
  const fetch = async (request: Request) => {
    if (
      conflicting.left > 0 &&
      conflicting.by.test(`${request.method} ${request.headers.get('content-type')}`)
    ) {
      conflicting.left--
      faster++
      expect((await annotate(conflicting.path)).status).toBe(200)
    }
    return send(request)
  }
  kubectl = testConsole({ fetch }, clock)
  kubectl.files.set('web.yaml', SET)
})

/** Runs a line that waits for the simulated clock. */
async function inTime(line: string): Promise<Printed> {
  let ended = false
  const printed = kubectl.run(line).finally(() => {
    ended = true
  })
  while (!ended) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    clock.advance(1000)
  }
  return printed
}

const managers = async (): Promise<string[]> => {
  const { stdout } = await kubectl.run(
    "get replicaset web -o jsonpath='{.metadata.managedFields[*].manager}' --show-managed-fields",
  )
  return stdout.split(' ')
}

describe('the migration of managedFields to server-side apply', () => {
  beforeEach(async () => {
    await kubectl.run('apply -f web.yaml')
  })

  it('retries after a conflict', async () => {
    conflicting = { path: SET_PATH, by: /json-patch/, left: 4 }
    const { stdout, stderr, code } = await kubectl.run('apply -f web.yaml --server-side')
    expect([stdout, stderr, code]).toEqual(['replicaset.apps/web serverside-applied\n', '', 0])
    expect(faster).toBe(4)
    expect(await managers()).not.toContain('kubectl-client-side-apply')
  })

  it('is skipped after repeated conflicts: the manifest is still applied', async () => {
    conflicting = { path: SET_PATH, by: /json-patch/, left: 1000 }
    const { stdout, stderr, code } = await kubectl.run('apply -f web.yaml --server-side')
    expect([stdout, code, faster]).toEqual(['replicaset.apps/web serverside-applied\n', 0, 5])
    expect(stderr).toMatch(
      /^Warning: server rejected managed fields migration to Server-Side Apply\. .*the object has been modified.*\n$/,
    )
    expect(await managers()).toContain('kubectl-client-side-apply')
  })
})

describe('scale with a precondition', () => {
  beforeEach(async () => {
    await kubectl.run('apply -f web.yaml')
    conflicting = { path: SET_PATH, by: /^PUT/, left: 3 }
  })

  it('retries while the precondition holds', async () => {
    expect((await inTime('scale rs web --current-replicas=2 --replicas=5')).stdout).toBe(
      'replicaset.apps/web scaled\n',
    )
    expect(faster).toBe(3)
    expect((await kubectl.run('get rs web -o jsonpath={.spec.replicas}')).stdout).toBe('5')
  })

  it('fails when the precondition no longer holds', async () => {
    const version = (await kubectl.run('get rs web -o jsonpath={.metadata.resourceVersion}')).stdout
    const { stderr } = await inTime(`scale rs web --resource-version=${version} --replicas=5`)
    expect(stderr).toMatch(
      new RegExp(`^error: Expected resource version to be ${version}, was \\d+\n$`),
    )
    expect(faster).toBe(1)
  })
})

it('certificate approve retries after a conflict', async () => {
  const { request } = await newCertificateRequest(
    { commonName: 'jane', organizations: [] },
    quickSignatures,
  )
  const spec = { request: btoa(request), signerName: 'example.com/signer', usages: ['client auth'] }
  const object = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'jane' },
    spec,
  }
  kubectl.files.set('jane.yaml', JSON.stringify(object))
  expect((await kubectl.run('create -f jane.yaml')).code).toBe(0)
  conflicting = { path: REQUEST_PATH, by: /^PUT/, left: 10 }
  const approved = 'certificatesigningrequest.certificates.k8s.io/jane approved\n'
  expect((await kubectl.run('certificate approve jane')).stdout).toBe(approved)
  expect(faster).toBe(10)
})
