// cspell:ignore NXDOMAIN clientip
/** Connections between programs: names, services, policies and clients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'

const server = (args: string[], labels: object, more: object = {}) =>
  [
    {
      containers: [
        { name: 'c', image: AGNHOST, args, ports: [{ name: 'web', containerPort: 8080 }] },
      ],
      ...more,
    },
    { labels },
  ] as const

const service = (name: string, spec: object) =>
  pods.create('services', { metadata: { name }, spec })
const sh = (script: string, pod = 'client') => pods.sh(pod, script)
let ips: Record<string, string>

beforeAll(async () => {
  pods = await podsOn()
  await pods.pod(
    'a',
    ...server(['netexec'], { app: 'web' }, { hostname: 'h', subdomain: 'direct' }),
  )
  await pods.pod('b', ...server(['serve-hostname', '--port=8080'], { app: 'web' }))
  await pods.pod(
    'page',
    { containers: [{ name: 'c', image: 'nginx' }] },
    { labels: { app: 'page' } },
  )
  await pods.pod('client', {
    containers: [{ name: 'c', image: AGNHOST }],
    hostAliases: [{ ip: '10.244.1.2', hostnames: ['alias'] }],
  })
  await service('web', {
    selector: { app: 'web' },
    ports: [{ name: 'http', port: 80, targetPort: 'web' }],
  })
  await service('sticky', {
    selector: { app: 'web' },
    sessionAffinity: 'ClientIP',
    ports: [{ port: 80, targetPort: 8080 }],
  })
  await service('direct', {
    selector: { app: 'web' },
    clusterIP: 'None',
    ports: [{ name: 'http', port: 80, targetPort: 8080 }],
  })
  await service('node', {
    type: 'NodePort',
    selector: { app: 'page' },
    ports: [{ port: 80, nodePort: 30080 }],
  })
  await service('none', { selector: { app: 'none' }, ports: [{ port: 80 }] })
  await service('outside', { type: 'ExternalName', externalName: 'example.com' })
  await pods.cluster.pass(5)
  ips = {}
  for (const name of ['a', 'b', 'page', 'client'])
    ips[name] = (await pods.get(`pods/${name}`)).status.podIP
  for (const name of ['web', 'none'])
    ips[name] = (await pods.get(`services/${name}`)).spec.clusterIP
})
afterAll(() => pods.cluster.close())

describe('names', () => {
  it.each<[string, () => unknown]>([
    [
      'nslookup web | tail -n 3',
      () => `Name:\tweb.default.svc.cluster.local\nAddress: ${ips.web}\n\n`,
    ],
    ['nslookup web.default.svc | grep -c Address:', () => '2\n'],
    ['nslookup web.other; true', () => expect.stringContaining("can't find web.other: NXDOMAIN")],
    [
      'nslookup direct | grep ^Address:',
      () => `Address:\t10.96.0.10:53\nAddress: ${ips.a}\nAddress: ${ips.b}\n`,
    ],
    ['nslookup h.direct | tail -n 2', () => `Address: ${ips.a}\n\n`],
    [
      'nslookup -type=srv _http._tcp.web | grep service',
      () => expect.stringContaining('0 100 80 web.default.svc'),
    ],
    ['nslookup outside | grep canonical', () => expect.stringContaining('= example.com\n')],
  ])('%s', async (script, expected) => {
    expect(await sh(script)).toEqual(expected())
  })
})

it('addresses have names', async () => {
  expect(await sh(`nslookup ${ips.web}`)).toContain('name = web.default.svc.cluster.local\n')
  expect(await sh(`nslookup ${ips.a}`)).toContain('name = h.direct.default.svc.cluster.local\n')
})

describe('clients', () => {
  it.each<[string, () => unknown]>([
    ['wget -qO- http://page', () => expect.stringContaining('bad address')],
    ['wget -qO- alias:8080/hostname', () => 'h'],
    [
      'wget -qO- http://none; true',
      () => `wget: can't connect to remote host (${ips.none}): Connection refused\n`,
    ],
    ['curl -s http://h.direct:8080/clientip | cut -d : -f 1', () => `${ips.client}\n`],
    [
      'curl -s "http://h.direct:8080/echo?msg=hi&code=404" -o /dev/null -w "%{http_code}"',
      () => '404',
    ],
    ['curl -sf "http://h.direct:8080/echo?code=500"', () => '(22)'],
    ['curl -s nowhere', () => '(6)'],
    [
      'curl http://none',
      () => expect.stringMatching(/^curl: \(7\) Failed to connect to none port 80 .*\n\(7\)$/),
    ],
    ['curl -s -m 2 http://10.244.9.9', () => '(28)'],
    ['curl -sL "http://h.direct:8080/redirect?location=/echo%3Fmsg=there"', () => 'there'],
    ['nc -vz -w 2 web 80', () => `Connection to web (${ips.web}) 80 port [tcp/*] succeeded!\n`],
    ['nc -vz -w 2 h.direct 81', () => expect.stringContaining('Connection refused')],
    ['echo hostName | nc -w 2 -u h.direct 8081', () => 'h'],
    ['echo "echo x" | nc -w 2 -u h.direct 8081', () => 'x\n'],
    ['/agnhost connect --timeout=1s none:80', () => 'REFUSED\n(1)'],
    ['/agnhost connect --timeout=1s web:80', () => ''],
    ['/agnhost connect --timeout=1s 10.244.9.9:80', () => 'TIMEOUT\n(1)'],
    ['wget -O /tmp/page 192.168.0.1:30080 2>/dev/null; grep -c nginx /tmp/page', () => '2\n'],
  ])('%s', async (script, expected) => {
    expect(await sh(script)).toEqual(expected())
  })

  it('reach every endpoint of a service, or always the same', async () => {
    const twice = async (name: string) =>
      new Set(await Promise.all([1, 2].map(() => sh(`wget -qO- ${name}/hostname`))))
    expect(await twice('web')).toEqual(new Set(['h', 'b']))
    expect((await twice('sticky')).size).toBe(1)
  })

  it('dial from another container', async () => {
    const query = `request=hostname&protocol=http&host=${ips.b}&port=8080&tries=2`
    expect(await sh(`curl -s "http://h.direct:8080/dial?${query}"`)).toBe('{"responses":["b","b"]}')
  })

  it('see a service that is created during their session', async () => {
    await service('late', { selector: { app: 'page' }, ports: [{ port: 80 }] })
    await pods.cluster.pass(2)
    expect(await sh('curl -s late | grep -c "<title>"')).toBe('1\n')
  })
})

describe('a NetworkPolicy', () => {
  const policy = async (spec: object, run: () => Promise<void>) => {
    const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
    await pods.cluster.sendRequest({
      method: 'POST',
      path,
      body: { metadata: { name: 'p' }, spec },
    })
    await run()
    await pods.cluster.sendRequest({ method: 'DELETE', path: `${path}/p` })
  }
  const reaches = async (host: string) => (await sh(`nc -z -w 1 ${host} 8080`)) === ''

  it('denies what no rule allows', async () => {
    await policy({ podSelector: { matchLabels: { app: 'web' } } }, async () => {
      expect(await reaches(ips.a ?? '')).toBe(false)
      expect(await sh('curl -s -m 1 web')).toBe('(28)')
    })
    expect(await reaches(ips.a ?? '')).toBe(true)
  })

  it('allows peers and ports', async () => {
    const podSelector = { matchLabels: { app: 'web' } }
    const from = [{ ipBlock: { cidr: '10.244.0.0/16', except: ['10.244.2.0/24'] } }]
    await policy({ podSelector, ingress: [{ from, ports: [{ port: 'web' }] }] }, async () => {
      expect(await reaches(ips.a ?? '')).toBe(true)
    })
    await policy({ podSelector, ingress: [{ from, ports: [{ port: 9 }] }] }, async () => {
      expect(await reaches(ips.a ?? '')).toBe(false)
    })
    const other = [{ namespaceSelector: { matchLabels: { team: 'x' } } }]
    await policy({ podSelector, ingress: [{ from: other }] }, async () => {
      expect(await reaches(ips.a ?? '')).toBe(false)
    })
  })

  it('for egress also decides about DNS', async () => {
    const egress = [{ to: [{ podSelector: { matchLabels: { app: 'web' } } }] }]
    await policy({ podSelector: {}, policyTypes: ['Egress'], egress }, async () => {
      expect(await reaches(ips.a ?? '')).toBe(true)
      expect(await sh('nslookup web')).toContain('no servers could be reached')
    })
  })
})

describe('the proxy of the API server', () => {
  const request = (path: string, method = 'GET') =>
    pods.cluster.sendRequest({ path: `/api/v1/namespaces/default/${path}`, method })

  beforeAll(() =>
    pods.pod('porter', {
      containers: [
        {
          name: 'c',
          image: AGNHOST,
          args: ['porter'],
          env: [{ name: 'SERVE_PORT_90', value: '<a href="/x">a</a>' }],
        },
      ],
    }),
  )

  it('forwards requests to pods and services', async () => {
    expect((await request('pods/a:8080/proxy/hostname')).text).toBe('h')
    expect(await request('pods/a/proxy/echo?msg=hi&code=404')).toMatchObject({
      status: 404,
      text: 'hi',
    })
    expect(['h', 'b']).toContain((await request('services/web:http/proxy/hostname')).text)
    expect(['h', 'b']).toContain((await request('services/web:80/proxy/hostname', 'POST')).text)
    expect((await request('services/late/proxy/')).text).toContain('Welcome to nginx!')
  })

  it('rewrites links, redirects and the path without a slash', async () => {
    const path = '/api/v1/namespaces/default/pods/porter:90/proxy'
    expect((await request('pods/porter:90/proxy/')).text).toBe(`<a href="${path}/x">a</a>`)
    const moved = await request('pods/porter:90/proxy?a=b')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${path}/?a=b`])
    const redirect = await request('pods/a:8080/proxy/redirect?location=/hostname')
    expect(redirect.headers.get('location')).toBe(
      '/api/v1/namespaces/default/pods/a:8080/proxy/hostname',
    )
  })

  it('reports a port on which nothing listens', async () => {
    expect(await request('pods/a:81/proxy/')).toMatchObject({
      status: 503,
      json: {
        message: `error trying to reach service: dial tcp ${ips.a}:81: connect: connection refused`,
      },
    })
  })
})
