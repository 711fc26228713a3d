/**
 * Commands in simulated containers over one HTTP request print what kubectl prints against the Node
 * host.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'
import { type TestConsole, testConsole } from './support'

const EXEC =
  'exec: [{command: cat /etc/release, output: v2.1}, {command: "check *", output: looked, error: cannot connect, code: 3}]'

let cluster: Cluster
let kubectl: TestConsole

beforeEach(async () => {
  cluster = await testCluster({ nodes: 1 })
  await cluster.pass(1)
  await cluster.sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces/default/pods',
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', annotations: { 'simulation.kubetab/behavior': EXEC } },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'img:1' }] },
    },
  })
  await cluster.pass(5)
  kubectl = testConsole(cluster.server, cluster.clock)
})

afterEach(() => cluster.close())

describe('exec', () => {
  it.each([
    ['exec web -- cat /etc/release', 0, 'v2.1\n', ''],
    [
      'exec web -- check db',
      3,
      'looked\n',
      'cannot connect\ncommand terminated with exit code 3\n',
    ],
    [
      'exec web -- nope',
      127,
      '',
      'nope: no output is scripted for this command (container c is simulated)\ncommand terminated with exit code 127\n',
    ],
    ['exec -it web -- echo a b', 0, 'a b\n', ''],
    ['exec pod/web -c c -- sh -c "hostname; echo ä"', 0, 'web\nä\n', ''],
    ['echo hostname | exec -i web -- sh', 0, 'web\n', ''],
    [
      'echo exit 4 | exec -it web -- sh',
      4,
      '',
      'Unable to use a TTY - input is not a terminal or the right kind of file\ncommand terminated with exit code 4\n',
    ],
    ['exec web -- sh', 0, '', ''],
    [
      'exec web -c nope -- ls',
      1,
      '',
      'Error from server (BadRequest): container nope is not valid for pod web\n',
    ],
    ['exec nope -- ls', 1, '', 'Error from server (NotFound): pods "nope" not found\n'],
  ])('%s', async (line, code, stdout, stderr) => {
    expect(await kubectl.run(line)).toEqual({ code, stdout, stderr })
  })

  it('reports that interactive shells are not supported', async () => {
    const { code, stderr } = await kubectl.run('exec -it web -- /bin/sh')
    expect([code, stderr]).toEqual([1, expect.stringContaining('pipe the lines in')])
  })

  it('requires the permission', async () => {
    const { code, stderr } = await kubectl.run('exec web --as=anna -- hostname')
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('User "anna" cannot get resource "pods"'),
    ])
  })

  it('responds without channels where the client requests none', async () => {
    const { status, json } = await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods/web/exec?command=ls',
    })
    expect([status, json.message]).toEqual([400, 'Upgrade request required'])
  })
})
