// cspell:ignore okwget
/** Programs of containers as clients of the API server. */
import { afterEach, expect, it } from 'vitest'
import { quickSignatures } from '../authentication/tokens-server'
import { type Pods, podsOn } from './pods'

let pods: Pods
afterEach(() => pods.cluster.close())

const OWN = '/var/run/secrets/kubernetes.io/serviceaccount'
const CURL = `curl -s -k -H "Authorization: Bearer $(cat ${OWN}/token)"`
const API = 'https://kubernetes.default.svc'
const program = (command: string) => ({
  restartPolicy: 'Never',
  containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }],
})
const begin = async (...modes: ('Node' | 'RBAC' | 'AlwaysAllow')[]) => {
  pods = await podsOn({ signatures: quickSignatures, authorization: { modes } })
}

const allow = async (verbs: string[]) => {
  await pods.create('serviceaccounts', { metadata: { name: 'robot' } })
  const group = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  const post = (path: string, body: object) =>
    pods.cluster.sendRequest({ method: 'POST', path: `${group}/${path}`, body })
  await post('roles', {
    metadata: { name: 'maps' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
  })
  await post('rolebindings', {
    metadata: { name: 'maps' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maps' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
  })
}

it('a program is authenticated as its service account, and authorized', async () => {
  await begin('Node', 'RBAC')
  await allow(['get', 'create'])
  const maps = `${API}/api/v1/namespaces/default/configmaps`
  const created = `{"metadata":{"name":"m"},"data":{"by":"$HOSTNAME"}}`
  await pods.pod('p', {
    serviceAccountName: 'robot',
    ...program(
      `${CURL} -o /dev/null -w '%{http_code}\\n' -H 'Content-Type: application/json' -d '${created.replace('$HOSTNAME', 'p')}' ${maps}; ` +
        `${CURL} ${maps}/m | grep -o '"by": *"p"'; ${CURL} -w '%{http_code}' -o /tmp/x ${maps}; grep -c robot /tmp/x`,
    ),
  })
  await pods.cluster.pass(5)
  expect(await pods.log('p')).toBe('201\n"by": "p"\n4031\n')
  const { items } = await pods.get('configmaps')
  expect(
    items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name === 'm'),
  ).toHaveLength(1)
})

it('is anonymous without a token, and needs the certificate of the cluster', async () => {
  await begin('Node', 'RBAC')
  await pods.pod('p', { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000'] }] })
  expect(
    await pods.sh('p', `curl -sk ${API}/api/v1/pods | grep -o system:anonymous | head -n 1`),
  ).toBe('system:anonymous\n')
  expect(await pods.sh('p', `curl -sS ${API}/version`)).toContain('curl: (60) SSL certificate')
  expect(await pods.sh('p', `curl -s http://kubernetes.default.svc:443/version`)).toBe(
    'Client sent an HTTP request to an HTTPS server.\n',
  )
  expect(
    await pods.sh('p', 'wget -qO- https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/livez'),
  ).toBe('okwget: note: TLS certificate validation not implemented\n')
  const token = `--header "Authorization: Bearer $(cat ${OWN}/token)"`
  expect(
    await pods.sh('p', `wget -qO- --no-check-certificate ${token} ${API}/api | head -c 2`),
  ).toContain('{')
  expect(await pods.sh('p', 'nc -z kubernetes.default 443 && echo open')).toBe('open\n')
})

it('a program polls the API until an object exists, each request once', async () => {
  await begin('AlwaysAllow')
  const url = `${API}/api/v1/namespaces/default/configmaps/later`
  await pods.pod('p', program(`until ${CURL} -f ${url} >/dev/null; do sleep 5; done; echo there`))
  await pods.cluster.pass(20)
  expect(await pods.log('p')).toBe('')
  await pods.create('configmaps', { metadata: { name: 'later' } })
  await pods.cluster.pass(6)
  expect(await pods.log('p')).toBe('there\n')
})

it('a watch has no end, and is not followed', async () => {
  await begin('AlwaysAllow')
  await pods.pod('p', { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000'] }] })
  expect(await pods.sh('p', `${CURL} '${API}/api/v1/pods?watch=true'`)).toContain(
    'no output is scripted',
  )
})

it.each([
  'while true; do nslookup kubernetes >/dev/null; done',
  `while true; do curl -sk ${API}/livez; done`,
])('a command without end stops: %s', async (script) => {
  await begin('AlwaysAllow')
  await pods.pod('p', { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000'] }] })
  expect(await pods.sh('p', script)).toContain('no output is scripted')
})

it('finds the keys of the issuer of its token', async () => {
  const issuer = 'https://kubernetes.default.svc.cluster.local'
  pods = await podsOn({
    signatures: quickSignatures,
    serviceAccounts: { issuers: [issuer], keysUri: `${issuer}/openid/v1/jwks` },
  })
  const args = (audience: string) => [
    'test-service-account-issuer-discovery',
    '--token-path=/tokens/token',
    `--audience=${audience}`,
  ]
  const pod = (audience: string) => ({
    restartPolicy: 'Never',
    containers: [
      {
        name: 'c',
        image: 'registry.k8s.io/e2e-test-images/agnhost:2.53',
        args: args(audience),
        volumeMounts: [{ name: 'tokens', mountPath: '/tokens' }],
      },
    ],
    volumes: [
      {
        name: 'tokens',
        projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'shop' } }] },
      },
    ],
  })
  await pods.pod('p', pod('shop'))
  await pods.pod('other', pod('bank'))
  await pods.cluster.pass(5)
  expect(await pods.log('p')).toMatch(/OK: Got valid claims from token!\n$/)
  expect((await pods.get('pods/p')).status.phase).toBe('Succeeded')
  expect(await pods.log('other')).toMatch(/oidc: expected audience "bank" got \["shop"\]\n$/)
})
