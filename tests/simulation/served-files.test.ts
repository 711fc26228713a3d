/** Servers whose pages are files: of images, of volumes, and of commands; and clients of names. */
// cspell:ignore noall notcp getent NXDOMAIN
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
beforeEach(async () => {
  pods = await podsOn()
})
afterEach(() => pods.cluster.close())

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
const proxied = async (pod: string, path: string) => {
  const response = await pods.cluster.sendRequest({
    path: `/api/v1/namespaces/default/pods/${pod}/proxy${path}`,
  })
  return [response.status, response.text]
}
const readiness = async (pod: string) =>
  (await pods.get(`pods/${pod}`)).status.containerStatuses[0].ready

it('nginx serves the pages of a ConfigMap', async () => {
  await pods.create('configmaps', {
    metadata: { name: 'pages' },
    data: { 'index.html': '<h1>mine</h1>', 'data.json': '{}' },
  })
  await pods.pod('web', {
    volumes: [{ name: 'v', configMap: { name: 'pages' } }],
    containers: [
      {
        name: 'c',
        image: 'nginx',
        volumeMounts: [{ name: 'v', mountPath: '/usr/share/nginx/html' }],
      },
    ],
  })
  expect(await proxied('web', '/')).toEqual([200, '<h1>mine</h1>'])
  expect(await proxied('web', '/data.json')).toEqual([200, '{}'])
  expect((await proxied('web', '/none'))[0]).toBe(404)
})

it('a command that moves the page away fails the probe, and brings it back', async () => {
  const page = '/usr/local/apache2/htdocs/index.html'
  await pods.pod('web', {
    containers: [
      {
        name: 'c',
        image: 'registry.k8s.io/e2e-test-images/httpd:2.4.38-4',
        readinessProbe: {
          httpGet: { path: '/index.html', port: 80 },
          periodSeconds: 1,
          failureThreshold: 1,
        },
      },
    ],
  })
  expect(await readiness('web')).toBe(true)
  expect(await pods.sh('web', `mv -v ${page} /tmp/ || true`)).toContain(page)
  await pods.cluster.pass(2)
  expect(await readiness('web')).toBe(false)
  await pods.sh('web', `mv -v /tmp/index.html ${page.slice(0, -'index.html'.length)} || true`)
  await pods.cluster.pass(2)
  expect(await readiness('web')).toBe(true)
})

it('programs resolve names, and another container serves their results', async () => {
  const mounts = [{ name: 'results', mountPath: '/results' }]
  const check = (lookup: string, file: string) =>
    `check="$$(dig ${lookup})" && test -n "$$check" && echo OK > /results/${file};`
  const script = `for i in \`seq 1 600\`; do ${check('+notcp +noall +answer +search kubernetes.default A', 'udp@kubernetes.default')}${check(
    '+tcp +noall +answer +search none.default A',
    'tcp@none',
  )}test -n "$$(getent hosts host.sub.default.svc.cluster.local)" && echo OK > /results/hosts@own;sleep 1; done`
  await pods.create('services', {
    metadata: { name: 'sub' },
    spec: { clusterIP: 'None', selector: { app: 'p' }, ports: [{ port: 80 }] },
  })
  await pods.pod(
    'p',
    {
      hostname: 'host',
      subdomain: 'sub',
      volumes: [{ name: 'results', emptyDir: {} }],
      containers: [
        { name: 'webserver', image: AGNHOST, args: ['test-webserver'], volumeMounts: mounts },
        {
          name: 'querier',
          image: AGNHOST,
          command: ['sh', '-c'],
          args: [script],
          volumeMounts: mounts,
        },
      ],
    },
    { labels: { app: 'p' } },
  )
  await pods.cluster.pass(5)
  expect(await proxied('p', '/results/udp@kubernetes.default')).toEqual([200, 'OK\n'])
  expect(await proxied('p', '/results/hosts@own')).toEqual([200, 'OK\n'])
  expect((await proxied('p', '/results/tcp@none'))[0]).toBe(404)
  expect((await proxied('p', '/results/'))[1]).toContain('<a href="hosts@own">hosts@own</a>')
})

it.each([
  ['dig +short kubernetes.default.svc.cluster.local', /^10\.96\.0\.1\n$/],
  ['dig +short kubernetes.default', /^$/],
  ['dig +search +short kubernetes.default', /^10\.96\.0\.1\n$/],
  ['dig -x 10.96.0.1 +short', /^kubernetes\.default\.svc\.cluster\.local\.\n$/],
  ['dig kubernetes.default.svc.cluster.local | grep -c "ANSWER SECTION"', /^1\n$/],
  ['dig nowhere.svc.cluster.local | grep -o NXDOMAIN', /^NXDOMAIN\n$/],
  ['getent hosts nowhere', /^\(2\)$/],
])('%s', async (script, expected) => {
  await pods.pod('p', { containers: [{ name: 'c', image: AGNHOST, args: ['pause'] }] })
  expect(await pods.sh('p', script)).toMatch(expected)
})
