/** `kubetab diff`: what two directories or two releases store. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DIFF } from '../../src/command-line/diff/command'
import { directoryWith, run } from './terminal'

const service = (port: number) => `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  type: NodePort
  ports: [{port: ${port}}]
`
const job = `apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: a, image: busybox}]
`

it('finds nothing between equal directories, though addresses and names differ', async () => {
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n'
  const directory = directoryWith({
    'one/all.yaml': [service(80), job, pod].join('---\n'),
    'two/a.yaml': pod,
    'two/b.yaml': [job, service(80)].join('---\n'),
  })
  expect(await run(DIFF, [join(directory, 'one'), join(directory, 'two')])).toEqual({
    status: 0,
    output: '',
    errors: '',
  })
})

it('prints changed, added and removed objects with defaults', async () => {
  const directory = directoryWith({
    'one/all.yaml': [service(80), job].join('---\n'),
    'two/all.yaml': [service(81), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n'].join(
      '---\n',
    ),
  })
  const [one, two] = [join(directory, 'one'), join(directory, 'two')]
  const { status, output } = await run(DIFF, [one, two])
  expect(status).toBe(1)
  expect(output).toContain(`--- Service web\t${one} (1.37)\n+++ Service web\t${two} (1.37)\n@@ `)
  expect(output).toMatch(/\n- {2}- port: 80\n\+ {2}- port: 81\n/)
  expect(output).toMatch(/\n\+kind: ConfigMap\n/)
  expect(output).toMatch(/\n-kind: Job\n/)
  expect(output).not.toMatch(/clusterIP:|nodePort/)
})

it('compares two releases, and names the one that rejects an object', async () => {
  const directory = directoryWith({
    'budget.yaml':
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 1}\n',
    'job.yaml': job,
  })
  const { status, output } = await run(DIFF, [
    directory,
    ...['--from-release', '1.24', '--to-release', '1.25'],
  ])
  expect(status).toBe(1)
  expect(output).toContain(
    `# ${directory} (1.25) rejects it: no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"`,
  )
  expect(output).not.toContain('Job')
})

it('prints no values of Secrets', async () => {
  const secret = (value: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {password: ${value}}\n`
  const directory = directoryWith({ 'one.yaml': secret('first'), 'two.yaml': secret('other') })
  const files = [join(directory, 'one.yaml'), join(directory, 'two.yaml')]
  const { output } = await run(DIFF, [...files, '--output', 'json'])
  for (const value of ['first', 'other']) {
    expect(output).not.toContain(value)
    expect(output).not.toContain(Buffer.from(value).toString('base64'))
  }
})

it.each([
  [[], 'name one PATH for two releases, or two PATHs'],
  [['a'], 'both sides are the same: name a second PATH, or --from-release'],
  [['a', 'b', 'c'], 'name one PATH for two releases, or two PATHs'],
])('rejects %j', async (args, message) => {
  const { status, errors } = await run(DIFF, args)
  expect(status).toBe(2)
  expect(errors).toContain(`error: ${message}`)
})
