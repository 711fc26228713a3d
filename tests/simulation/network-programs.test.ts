// cspell:ignore webup clientip noall notcp
/** Programs of containers in the network: what they log, and what they see change. */
import { afterEach, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
afterEach(() => pods.cluster.close())

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
const serving = (labels: object, args = ['serve-hostname', '--port=8080']) =>
  [
    {
      restartPolicy: 'Always',
      containers: [{ name: 'c', image: AGNHOST, args, ports: [{ containerPort: 8080 }] }],
    },
    { labels },
  ] as const
const script = (text: string, more: object = {}) => ({
  restartPolicy: 'Never',
  containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', text], ...more }],
})
const service = (name: string, app: string) =>
  pods.create('services', {
    metadata: { name },
    spec: { selector: { app }, ports: [{ port: 80, targetPort: 8080 }] },
  })

it('a program waits for a service, and ends', async () => {
  pods = await podsOn()
  await pods.pod('p', script('until wget -qO- http://web; do echo waiting; sleep 2; done; echo up'))
  expect(await pods.log('p')).toMatch(/^(wget: bad address 'web'\nwaiting\n)+$/)
  await pods.pod('web', ...serving({ app: 'web' }))
  await service('web', 'web')
  await pods.cluster.pass(10)
  expect(await pods.log('p', '?tailLines=2')).toMatch(/waiting\nwebup\n$/)
  expect((await pods.get('pods/p')).status.phase).toBe('Succeeded')
})

it('a loop reaches all endpoints, for hours', async () => {
  pods = await podsOn()
  await pods.pod('a', ...serving({ app: 'web' }))
  await pods.pod('b', ...serving({ app: 'web' }))
  await service('web', 'web')
  await pods.pod('p', script('while true; do wget -qO- http://web; echo; sleep 10; done'))
  await pods.cluster.pass(10_000)
  const lines = (await pods.log('p')).split('\n')
  expect(lines.length).toBeGreaterThan(400)
  const last = lines.slice(-21, -1)
  expect([last.filter((line) => line === 'a').length, last.length]).toEqual([10, 20])
  expect((await pods.get('pods/p')).status.phase).toBe('Running')
})

it('is shown to clients that follow the log', async () => {
  pods = await podsOn()
  await pods.pod('p', script('until wget -qO- http://web; do echo waiting; sleep 2; done; echo up'))
  const followed = pods.log('p', '?follow=true&tailLines=0')
  await pods.pod('web', ...serving({ app: 'web' }))
  await service('web', 'web')
  await pods.cluster.pass(10)
  expect(await followed).toMatch(/waiting\nwebup\n$/)
})

it('a busy loop is slowed down', async () => {
  pods = await podsOn()
  await pods.pod('p', script('while ! nc -z web 80; do echo none; done'))
  await pods.cluster.pass(100)
  const count = (await pods.log('p')).split('none\n').length
  expect(count).toBeGreaterThan(100)
  expect(count).toBeLessThan(130)
})

it('keeps variables, files, and one loop after the other', async () => {
  pods = await podsOn()
  await pods.pod(
    'p',
    script(
      'n=0; until nslookup web >/dev/null; do n=$((n+1)); sleep 1; done; echo "after $n" >/tmp/f; ' +
        'while [ "$(wget -qO- web)" != b ]; do sleep 1; done; cat /tmp/f; echo found b',
    ),
  )
  await pods.cluster.pass(7)
  await pods.pod('a', ...serving({ app: 'web' }))
  await service('web', 'web')
  await pods.cluster.pass(30)
  expect(await pods.log('p')).toMatch(/^(wget: can't connect .*\n)*$/)
  await pods.pod('b', ...serving({ app: 'web' }))
  await pods.cluster.pass(10)
  expect(await pods.log('p', '?tailLines=2')).toMatch(/^after (9|1\d)\nfound b\n$/)
})

it('takes the time of a connection that times out', async () => {
  pods = await podsOn()
  await pods.pod('p', script('wget -T 5 -qO- 10.244.9.9; echo "ended $?"'))
  await pods.cluster.pass(2)
  expect(await pods.log('p')).toBe('')
  await pods.cluster.pass(4)
  expect(await pods.log('p')).toBe('wget: download timed out\nended 1\n')
})

it('costs nothing without a next use of the network', async () => {
  pods = await podsOn()
  await pods.pod('p', script('nslookup kubernetes >/dev/null && echo ok; sleep 100000'))
  await pods.cluster.pass(10)
  expect(await pods.log('p')).toBe('ok\n')
  const before = pods.cluster.server.storage.currentRevision()
  await pods.cluster.pass(300)
  expect(pods.cluster.server.storage.currentRevision()).toBe(before)
})

it('is deterministic: two clusters have the same log', async () => {
  const logs: string[] = []
  for (let run = 0; run < 2; run++) {
    pods = await podsOn()
    await pods.pod('a', ...serving({ app: 'web' }, ['netexec']))
    await service('web', 'web')
    await pods.pod('p', script('while true; do wget -qO- web/clientip; echo; sleep 3; done'))
    await pods.cluster.pass(60)
    logs.push(await pods.log('p', '?timestamps=true'))
    if (run === 0) await pods.cluster.close()
  }
  expect(logs[0]).toBe(logs[1])
  expect(logs[0]).toContain('10.244.1.')
})

it('servers log the requests of others', async () => {
  pods = await podsOn()
  await pods.pod('a', ...serving({ app: 'web' }, ['netexec']))
  await pods.pod('n', { containers: [{ name: 'c', image: 'nginx' }] })
  const [echo, page] = await Promise.all(
    ['a', 'n'].map(async (name) => (await pods.get(`pods/${name}`)).status.podIP),
  )
  await pods.pod('p', script(`wget -qO- "${echo}:8080/echo?msg=hi"; wget -qO- ${page}/none`))
  expect(await pods.log('a')).toMatch(
    /^2026\/01\/01 00:00:\d\d Started HTTP server on port 8080\n2026\/01\/01 00:00:\d\d GET \/echo\?msg=hi&code=\n$/,
  )
  expect(await pods.log('n', '?tailLines=1')).toMatch(
    /^10\.244\.1\.\d+ - - \[01\/Jan\/2026:00:00:\d\d \+0000\] "GET \/none HTTP\/1\.1" 404 \d+ "-" "Wget" "-"\n$/,
  )
})

it('ports of a node lead to pods by address and protocol', async () => {
  pods = await podsOn()
  const container = { name: 'c', image: AGNHOST, args: ['netexec', '--udp-port=8080'] }
  const onPort = (name: string, hostIP: string, protocol: string) =>
    pods.pod(name, {
      containers: [
        { ...container, ports: [{ containerPort: 8080, hostPort: 5432, hostIP, protocol }] },
      ],
    })
  const nodes = (await pods.cluster.sendRequest({ path: '/api/v1/nodes' })).json.items
  const ip = nodes[0].status.addresses.find(
    ({ type }: { type: string }) => type === 'InternalIP',
  ).address
  await onPort('one', '127.0.0.1', 'TCP')
  await onPort('two', ip, 'TCP')
  await onPort('three', ip, 'UDP')
  await pods.pod('host', {
    hostNetwork: true,
    containers: [{ name: 'c', image: AGNHOST }],
  })
  const curl = (host: string) =>
    pods.sh('host', `curl -sg --interface ${ip} http://${host}:5432/hostname`)
  expect([await curl('127.0.0.1'), await curl(ip)]).toEqual(['one', 'two'])
  expect(await pods.sh('host', `echo hostname | nc -u -w 1 ${ip} 5432`)).toBe('three')
})

it('an external name leads to a service of the cluster', async () => {
  pods = await podsOn()
  await pods.pod('web', ...serving({ app: 'web' }))
  await service('web', 'web')
  const named = (name: string, externalName: string) =>
    pods.create('services', { metadata: { name }, spec: { type: 'ExternalName', externalName } })
  await named('alias', 'web.default.svc.cluster.local')
  await named('circle', 'circle.default.svc.cluster.local')
  expect(await pods.sh('web', 'wget -qO- http://alias')).toBe('web')
  expect(await pods.sh('web', 'wget -qO- http://circle')).toContain("bad address 'circle'")
})

it('a pod publishes what its queriers find in the DNS', async () => {
  pods = await podsOn()
  await pods.create('services', {
    metadata: { name: 'dns' },
    spec: { clusterIP: 'None', selector: { app: 'q' }, ports: [{ name: 'http', port: 80 }] },
  })
  const ip = '10.96.0.1'
  const pointer = `${ip.split('.').reverse().join('.')}.in-addr.arpa.`
  const queries = ['dns A', '_http._tcp.dns.default.svc SRV', 'kubernetes.default A']
  const checks = [
    ...queries.map((query) => `$$(dig +tcp +noall +answer +search ${query})`),
    `$$(dig +notcp +noall +answer +search ${pointer} PTR)`,
    '$$(getent hosts q.dns.default.svc.cluster.local)',
  ].map((query, index) => `check="${query}" && test -n "$$check" && echo OK > /results/${index};`)
  const volumeMounts = [{ name: 'results', mountPath: '/results' }]
  await pods.pod(
    'q',
    {
      hostname: 'q',
      subdomain: 'dns',
      volumes: [{ name: 'results', emptyDir: {} }],
      containers: [
        { name: 'web', image: AGNHOST, args: ['test-webserver'], volumeMounts },
        {
          name: 'querier',
          image: AGNHOST,
          command: ['sh', '-c'],
          args: [`for i in \`seq 1 600\`; do ${checks.join(' ')} sleep 1; done`],
          volumeMounts,
        },
      ],
    },
    { labels: { app: 'q' } },
  )
  await pods.cluster.pass(5)
  for (const index of checks.keys()) {
    const path = `/api/v1/namespaces/default/pods/q/proxy/results/${index}`
    expect((await pods.cluster.sendRequest({ path })).text).toBe('OK\n')
  }
})
