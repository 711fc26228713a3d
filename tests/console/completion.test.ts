/** Tab completion. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete } from '../../src/console/completion'
import { SimulatedClock } from '../../src/engine/core/environment'
import { configMap, sendRequest, testServer } from '../support/server'
import { type TestConsole, testConsole } from './support'

describe('completion', () => {
  const clock = new SimulatedClock()
  const server = testServer({ clock })
  let console: TestConsole

  beforeAll(async () => {
    for (const name of ['apple', 'apricot']) {
      await sendRequest(server, {
        method: 'POST',
        path: '/api/v1/namespaces/default/configmaps',
        body: configMap(name),
      })
    }
    console = testConsole(server, clock)
    console.files.set('pod.yaml', '')
  })
  afterAll(() => server.close())

  const words = async (line: string) => (await complete(console.session, line)).words

  it.each([
    ['ge', ['get']],
    ['kubectl ge', ['get']],
    ['api', ['api-resources', 'api-versions']],
    ['config use', ['use-context']],
    ['get configm', ['configmaps']],
    ['get pods,configm', ['configmaps']],
    ['get even', ['events.events.k8s.io', 'events']],
    ['get configmaps ap', ['apple', 'apricot']],
    ['get cm/app', ['apple']],
    ['get -n kube-s', ['kube-system']],
    ['get --namespace=kube-s', ['kube-system']],
    ['get cm -n kube-system ap', []],
    ['get pods -o y', ['yaml']],
    ['get pods --watch-', ['--watch-only']],
    ['get pods --sort', ['--sort-by=']],
    ['get -f po', ['pod.yaml']],
    ['explain deployment.spec.sel', ['selector']],
    ['explain pods.spec.containers.image', ['image', 'imagePullPolicy']],
    ['config use-context ad', ['admin']],
    ['get cm | gr', ['grep']],
    ['help expl', ['explain']],
    ['get nonsense x', []],
    ['nonsense x', []],
  ])('%s', async (line, expected) => {
    expect((await words(line)).toSorted()).toEqual(expected.toSorted())
  })

  it('returns the start of the completed word', async () => {
    expect(await complete(console.session, 'get cm/app')).toEqual({
      from: 7,
      words: ['apple'],
      space: true,
    })
    expect(await complete(console.session, 'get pods --sort')).toEqual({
      from: 9,
      words: ['--sort-by='],
      space: false,
    })
  })
})
