/** Tokens of service accounts in volumes: issued for the pod, and accepted by the API. */
import { afterEach, expect, it } from 'vitest'
import { quickSignatures } from '../authentication/tokens-server'
import { type Pods, podsOn } from './pods'

let pods: Pods
afterEach(() => pods.cluster.close())

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const OWN = '/var/run/secrets/kubernetes.io/serviceaccount'

it('a program reads a token that the API accepts, and its namespace', async () => {
  pods = await podsOn({ signatures: quickSignatures })
  await pods.pod('p', {
    restartPolicy: 'Never',
    containers: [
      { name: 'c', image: 'busybox', command: ['sh', '-c', `cat ${OWN}/namespace ${OWN}/token`] },
    ],
  })
  const log = await pods.log('p')
  expect(log).toMatch(/^default[\w-]+\.[\w-]+\.[\w-]+\n?$/)
  const token = log.slice('default'.length).trim()
  const { status, json } = await pods.cluster.sendRequest({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    headers: { authorization: `Bearer ${token}` },
  })
  expect([status, json.status?.userInfo.username]).toEqual([
    201,
    'system:serviceaccount:default:default',
  ])
  expect(claimsOf(token)['kubernetes.io'].pod.name).toBe('p')
})

it('has the audience and the lifetime of its source, and is replaced in time', async () => {
  pods = await podsOn({ signatures: quickSignatures })
  const source = { path: 'vault', audience: 'vault', expirationSeconds: 600 }
  await pods.pod('p', {
    securityContext: { runAsUser: 7, fsGroup: 8 },
    volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: source }] } }],
    containers: [
      {
        name: 'c',
        image: 'busybox',
        command: ['sleep', '1000000'],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      },
    ],
  })
  const first = claimsOf(await pods.sh('p', 'cat /v/vault'))
  expect([first.aud, first.exp - first.iat]).toEqual([['vault'], 600])
  expect(await pods.sh('p', 'stat -L -c "%a %u %g" /v/vault')).toBe('640 7 8\n')
  expect(claimsOf(await pods.sh('p', 'cat /v/vault')).jti).toBe(first.jti)
  await pods.cluster.pass(500)
  const second = claimsOf(await pods.sh('p', 'cat /v/vault'))
  expect(second.iat).toBeGreaterThan(first.iat)
})

it('is unknown on a host that cannot sign, and an event reports it', async () => {
  pods = await podsOn()
  await pods.pod('p', {
    containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000000'] }],
  })
  expect(await pods.sh('p', `cat ${OWN}/token`)).toContain('no output is scripted')
  const events = (await pods.get('events')).items.map(({ message }: { message: string }) => message)
  expect(events).toContain(
    'failed to fetch token: this server has no means of signing service account tokens',
  )
})
