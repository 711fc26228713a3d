/** `why` prints the chain of writes that the server recorded. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { complete } from '../../src/console/completion'
import { type Cluster, deployment, testCluster } from '../support/cluster'
import { type TestConsole, testConsole } from './support'

let cluster: Cluster
let shell: TestConsole

beforeEach(async () => {
  cluster = await testCluster({ scheduler: true, nodes: 1 })
  await cluster.pass(2)
  await cluster.sendRequest({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: deployment('web', 1),
  })
  await cluster.pass(30)
  shell = testConsole(cluster.server, cluster.clock)
})

afterEach(() => cluster.close())

/** @returns the cells of the printed rows, without the revisions */
async function rowsOf(line: string): Promise<string[][]> {
  const { code, stdout, stderr } = await shell.run(line)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .replace(/ \(\d+\)/g, '')
        .split(/ {3,}/)
        .slice(1),
    )
}

describe('why with an object', () => {
  it('prints the writes from the request to the object, oldest first', async () => {
    const [replicaSet = ''] = (await shell.run('get rs -o name')).stdout.trim().split('/').slice(-1)
    const rows = await rowsOf(`why rs/${replicaSet}`)
    expect(rows[0]).toEqual(['CHANGE', 'OBJECT', 'BY', 'BECAUSE OF', 'FIELDS'])
    expect(rows[1]).toEqual(['created', 'deployment/web', 'a request', '<none>', '<none>'])
    expect(rows.at(-1)?.slice(0, 3)).toEqual([
      'updated',
      `replicaset/${replicaSet}`,
      'replicaset-controller',
    ])
  })

  it('needs exactly one', async () => {
    expect(await shell.run('why nodes/node-1 deployment/web')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exactly one object is required'),
    })
  })

  it('reports an object that does not exist', async () => {
    expect(await shell.run('why pod/none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pods "none" not found'),
    })
  })
})

describe('why without an object', () => {
  it('prints what followed from the last write', async () => {
    const rows = await rowsOf('why')
    expect(rows[1]?.slice(0, 3)).toEqual(['created', 'deployment/web', 'a request'])
    expect(rows.map(([, object]) => object)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^replicaset\//),
        expect.stringMatching(/^pod\//),
      ]),
    )
  })

  it('prints the document of the server as JSON', async () => {
    const { stdout } = await shell.run('why -o json')
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'CausalChain', complete: true })
  })
})

it('kubectl has no such command', async () => {
  expect(await shell.run('kubectl why')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('unknown command "why" for "kubectl"'),
  })
})

it('completes its name and objects', async () => {
  expect((await complete(shell.session, 'wh')).words).toEqual(['why'])
  expect((await complete(shell.session, 'why deployment w')).words).toEqual(['web'])
})
