/** Mutating commands beyond their output: field ownership, edited text, and errors. */
import { beforeEach, describe, expect, it } from 'vitest'
import { handoverPatch } from '../../src/console/acting/handover'
import { unifiedDiff } from '../../src/console/commands/unified-diff'
import { memberTitle } from '../../src/console/describe/any-kind'
import { SimulatedClock } from '../../src/engine/core/environment'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { systemEnvironment } from '../../src/hosts/node/system'
import { type TestConsole, testConsole } from './support'

const SETTINGS =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: blue}\n'

let kubectl: TestConsole

beforeEach(async () => {
  const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'))
  const server = await startEngine(parseFlags(['--controllers=off', '--seed=1']), {
    ...systemEnvironment,
    clock,
  })
  const fetch = (request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('authorization', 'Bearer admin-token')
    return server.fetch(new Request(request, { headers }))
  }
  kubectl = testConsole({ fetch }, clock)
  kubectl.files.set('settings.yaml', SETTINGS)
})

const owners = async (): Promise<string[]> => {
  const { stdout } = await kubectl.run(
    "get configmap settings -o jsonpath='{.metadata.managedFields[*].manager}' --show-managed-fields",
  )
  return stdout.split(' ').sort()
}

describe('server-side apply after client-side apply', () => {
  it('takes over the fields, and keeps the last-applied annotation', async () => {
    await kubectl.run('apply -f settings.yaml')
    expect(await owners()).toEqual(['kubectl-client-side-apply'])
    expect((await kubectl.run('apply -f settings.yaml --server-side')).stdout).toBe(
      'configmap/settings serverside-applied\n',
    )
    expect(await owners()).toEqual(['kubectl', 'kubectl-last-applied'])
    kubectl.files.set('settings.yaml', SETTINGS.replace('color: blue', 'size: big'))
    await kubectl.run('apply -f settings.yaml --server-side')
    expect((await kubectl.run("get configmap settings -o jsonpath='{.data}'")).stdout).toBe(
      '{"size":"big"}',
    )
  })

  it('takes over no fields where no client-side apply ran before', () => {
    const entry = { manager: 'other', operation: 'Update', fieldsV1: { 'f:data': {} } }
    expect(handoverPatch({ metadata: { managedFields: [entry] } }, 'kubectl')).toBeUndefined()
  })
})

describe('--validate', () => {
  it.each([
    'run web --image=nginx',
    'expose deployment web --port=80',
    'autoscale deployment web --max=3',
    'create deployment web --image=nginx',
  ])('of `kubectl %s` needs no value', async (line) => {
    await kubectl.run('create deployment web --image=nginx')
    const printed = await kubectl.run(`${line} --validate --dry-run=client -o name`)
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toMatch(/\/web\n$/)
  })
})

describe('edit', () => {
  beforeEach(() => kubectl.run('apply -f settings.yaml'))

  it('sends the changes', async () => {
    kubectl.edits((text) => text.replace('color: blue', 'color: red'))
    expect((await kubectl.run('edit configmap settings')).stdout).toBe(
      'configmap/settings edited\n',
    )
    expect((await kubectl.run('get configmap settings -o jsonpath={.data.color}')).stdout).toBe(
      'red',
    )
  })

  it('does nothing for an unchanged or an empty text', async () => {
    expect((await kubectl.run('edit configmap settings')).stderr).toBe(
      'Edit cancelled, no changes made.\n',
    )
    kubectl.edits(() => '# only this\n')
    expect((await kubectl.run('edit configmap settings')).stderr).toBe(
      'Edit cancelled, saved file was empty.\n',
    )
  })

  it('keeps the text when it is not an object that was opened', async () => {
    kubectl.edits((text) => text.replace('uid:', 'uid: other #'))
    const { code, stderr } = await kubectl.run('edit configmap settings')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'A copy of your changes has been stored to "kubectl-edit-settings.yaml"\n',
    )
    expect(kubectl.files.get('kubectl-edit-settings.yaml')).toContain('uid: other')
  })

  it('keeps comments within the text when it reopens the editor', async () => {
    const shown: string[] = []
    kubectl.edits((text) => {
      shown.push(text)
      return text.replace('  color: blue', '  # why\n  color: 5')
    })
    await kubectl.run('edit configmap settings')
    expect(shown.at(-1)).toContain('  # why\n')
  })
})

describe('an unsupported option', () => {
  it.each([
    'attach web -it',
    'port-forward web 8080 --address=0.0.0.0',
    'cp web:/a b -c web',
    'proxy --port=8080',
    'debug web --image=busybox',
  ])('%s gives the reason', async (line) => {
    const { code, stderr } = await kubectl.run(line)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .{30,}\n$/)
  })

  it('does not prune, and does not use the network', async () => {
    expect((await kubectl.run('apply -f settings.yaml --prune')).stderr).toContain(
      '--prune is not available here',
    )
    expect((await kubectl.run('apply -f https://example.com/x.yaml')).stderr).toContain(
      'not fetched from the network',
    )
    expect((await kubectl.run('apply -k .')).stderr).toContain('kustomize')
  })
})

describe('kubectl diff', () => {
  it('prints the output of diff -u -N', () => {
    expect(unifiedDiff('x', '', 'a\nb\n')).toBe(
      'diff -u -N LIVE/x MERGED/x\n--- LIVE/x\n+++ MERGED/x\n@@ -0,0 +1,2 @@\n+a\n+b\n',
    )
    expect(unifiedDiff('x', 'a\n', 'b\n')).toContain('@@ -1 +1 @@\n-a\n+b\n')
    expect(unifiedDiff('x', 'a\n', 'a\n')).toBe('')
  })
})

describe('names of members', () => {
  it.each([
    ['creationTimestamp', 'Creation Timestamp'],
    ['apiVersion', 'API Version'],
    ['nonResourceURLs', 'Non Resource UR Ls'],
    ['httpURLPath', 'Http URL Path'],
    ['x-kubernetes-int-or-string', 'X - Kubernetes - Int - Or - String'],
    ['kubernetes.io/name', 'kubernetes.io/name'],
  ])('%s is %s', (name, title) => expect(memberTitle(name)).toBe(title))
})
